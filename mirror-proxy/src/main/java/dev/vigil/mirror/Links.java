package dev.vigil.mirror;

import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.link.LinkFormatException;
import dev.vigil.directory.link.References;
import dev.vigil.mirror.wire.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The links of an endpoint, and the paths among them that the mirror answers for. */
final class Links {
  private static final int MAX_OCTETS = 8192;
  private static final int MAX_ATTRIBUTES = 32;

  private Links() {}

  /**
   * Links as an endpoint sent them.
   *
   * @throws Rejection 4.00
   */
  static List<Link> read(byte[] payload, int most) {
    try {
      return LinkFormat.parse(payload, new LinkFormat.Limits(MAX_OCTETS, most, MAX_ATTRIBUTES));
    } catch (LinkFormatException e) {
      throw Rejection.malformed(String.valueOf(e.getMessage()));
    }
  }

  /** Links that were accepted before. */
  static List<Link> stored(String links) {
    return LinkFormat.parse(links, LinkFormat.Limits.NONE);
  }

  /** The path below {@code /ms/{id}/} of a link, when the mirror answers for its target. */
  static Optional<String> path(Link link) {
    String target = link.target();
    return target.length() > 1
            && isOwn(target)
            && target.indexOf('?') < 0
            && target.indexOf('#') < 0
        ? Optional.of(Paths.canonical(Paths.segments(target.substring(1))))
        : Optional.empty();
  }

  /** Whether a registration names that resource; cheap, without parsing the links. */
  static boolean has(String links, String path) {
    int at = links.indexOf("</" + path + ">");
    return at == 0
        || at > 0 && links.charAt(at - 1) == ','
        || stored(links).stream().anyMatch(l -> path(l).filter(path::equals).isPresent());
  }

  /** As the mirror publishes them: its own paths, and the key behind each. */
  static List<Link> published(String id, String links, String jkt) {
    List<Link> published = new ArrayList<>();
    Set<String> hosted = new LinkedHashSet<>();
    for (Link link : stored(links)) {
      Link rewritten = link.map(ref -> isOwn(ref) ? "/ms/" + id + References.normalPath(ref) : ref);
      published.add(rewritten);
      if (isOwn(link.target()) && link.attribute(Link.ANCHOR).isEmpty()) {
        hosted.add(rewritten.target());
      }
    }
    for (String target : hosted) {
      Link.Attribute anchor = new Link.Attribute(Link.ANCHOR, target, true);
      published.add(
          new Link(
              "/keys/" + jkt,
              List.of(
                  Link.Attribute.of(Link.REL, "describedby"),
                  Link.Attribute.of("ct", "65101"),
                  anchor)));
    }
    return published;
  }

  private static boolean isOwn(String reference) {
    return reference.startsWith("/") && !reference.startsWith("//");
  }

  static String text(byte[] payload) {
    return new String(payload, StandardCharsets.UTF_8);
  }
}
