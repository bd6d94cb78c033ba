package dev.vigil.directory.catalogue;

import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.link.References;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** How the mirror publishes an endpoint: as if it were the endpoint, below {@code /ms/{id}}. */
final class Mirrored {
  private Mirrored() {}

  /**
   * Rewrites path-absolute targets and anchors, and adds to each hosted resource a link to the key
   * that its values are signed with.
   */
  static List<Link> links(String document, String id, String jkt) {
    List<Link> own = LinkFormat.parse(document, LinkFormat.Limits.NONE);
    List<Link> published = new ArrayList<>(2 * own.size());
    Set<String> hosted = new LinkedHashSet<>();
    for (Link link : own) {
      Link rewritten = link.map(reference -> rewrite(reference, id));
      published.add(rewritten);
      if (isOwn(link.target()) && link.attribute(Link.ANCHOR).isEmpty()) {
        hosted.add(rewritten.target());
      }
    }
    for (String target : hosted) {
      published.add(
          new Link(
              "/keys/" + jkt,
              List.of(
                  new Link.Attribute(Link.REL, "describedby", true),
                  new Link.Attribute("ct", "65101", false),
                  new Link.Attribute(Link.ANCHOR, target, true))));
    }
    return published;
  }

  private static String rewrite(String reference, String id) {
    return isOwn(reference) ? "/ms/" + id + References.normalPath(reference) : reference;
  }

  private static boolean isOwn(String reference) {
    return reference.startsWith("/") && !reference.startsWith("//");
  }
}
