package dev.vigil.directory.catalogue;

import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.PublishedLocation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Rewrites the links of a published endpoint to the location that serves them. */
final class PublishedLinks {
  private PublishedLinks() {}

  /**
   * Rewrites path-absolute targets and anchors, and adds to each hosted resource a link to the key
   * that signs its values.
   *
   * @param document the endpoint's own links, in link format
   */
  static List<Link> rewrite(String document, PublishedLocation location, String id, String jkt) {
    List<Link> own = LinkFormat.parse(document, LinkFormat.Limits.NONE);
    List<Link> published = new ArrayList<>(2 * own.size());
    Set<String> hosted = new LinkedHashSet<>();
    for (Link link : own) {
      Link rewritten = link.map(reference -> rewriteReference(reference, location, id));
      published.add(rewritten);
      if (isPathAbsolute(link.target()) && link.attribute(Link.ANCHOR).isEmpty()) {
        hosted.add(rewritten.target());
      }
    }
    hosted.forEach(target -> published.add(keyLink(target, location, jkt)));
    return published;
  }

  private static Link keyLink(String target, PublishedLocation location, String jkt) {
    return new Link(
        location.keys() + "/" + jkt,
        List.of(
            new Link.Attribute(Link.REL, "describedby", true),
            new Link.Attribute("ct", Integer.toString(location.keyFormat().number()), false),
            new Link.Attribute(Link.ANCHOR, target, true)));
  }

  private static String rewriteReference(String reference, PublishedLocation location, String id) {
    return isPathAbsolute(reference)
        ? folder(location, id) + UriReferences.normalPath(reference)
        : reference;
  }

  /** The path below which an endpoint's resources are served. */
  private static String folder(PublishedLocation location, String id) {
    return location.resources() + "/" + id;
  }

  /** Whether a reference is a resource of the endpoint, so that its path names the entry. */
  static boolean namesEntry(String reference, PublishedLocation location, String id) {
    String folder = folder(location, id);
    return reference.startsWith(folder) && reference.startsWith("/", folder.length());
  }

  private static boolean isPathAbsolute(String reference) {
    return reference.startsWith("/") && !reference.startsWith("//");
  }
}
