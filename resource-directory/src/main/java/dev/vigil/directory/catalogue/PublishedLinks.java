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
  private final PublishedLocation location;

  PublishedLinks(PublishedLocation location) {
    this.location = location;
  }

  /**
   * Rewrites path-absolute targets and anchors, and adds to each hosted resource a link to the key
   * that signs its values.
   *
   * @param document the endpoint's own links, in link format
   */
  List<Link> rewrite(String document, String id, String jkt) {
    List<Link> own = LinkFormat.parse(document, LinkFormat.Limits.NONE);
    List<Link> published = new ArrayList<>(2 * own.size());
    Set<String> hosted = new LinkedHashSet<>();
    for (Link link : own) {
      Link rewritten = link.map(reference -> rewriteReference(reference, id));
      published.add(rewritten);
      if (isPathAbsolute(link.target()) && link.attribute(Link.ANCHOR).isEmpty()) {
        hosted.add(rewritten.target());
      }
    }
    hosted.forEach(target -> published.add(keyLink(target, jkt)));
    return published;
  }

  private Link keyLink(String target, String jkt) {
    return new Link(
        location.keys() + "/" + jkt,
        List.of(
            new Link.Attribute(Link.REL, "describedby", true),
            new Link.Attribute("ct", Integer.toString(location.keyFormat().number()), false),
            new Link.Attribute(Link.ANCHOR, target, true)));
  }

  private String rewriteReference(String reference, String id) {
    return isPathAbsolute(reference)
        ? location.resources() + "/" + id + UriReferences.normalPath(reference)
        : reference;
  }

  private static boolean isPathAbsolute(String reference) {
    return reference.startsWith("/") && !reference.startsWith("//");
  }
}
