package dev.vigil.mirror.model;

import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.LinkFormatException;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.mirror.control.ResourceControl;
import dev.vigil.mirror.refusal.RequestRefused;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The links that an endpoint registered, and their form as the mirror publishes them. */
public final class EndpointLinks {
  private static final int MAX_OCTETS = 8192;
  private static final int MAX_ATTRIBUTES = 32;

  private EndpointLinks() {}

  /**
   * Parses links from an endpoint.
   *
   * @throws RequestRefused 4.00 if malformed or more than {@code maxLinks}
   */
  public static List<Link> parse(byte[] payload, int maxLinks) {
    try {
      return LinkFormat.parse(payload, new LinkFormat.Limits(MAX_OCTETS, maxLinks, MAX_ATTRIBUTES));
    } catch (LinkFormatException e) {
      throw RequestRefused.malformed(String.valueOf(e.getMessage()));
    }
  }

  /** Parses links that were accepted before. */
  public static List<Link> parseStored(String links) {
    return LinkFormat.parse(links, LinkFormat.Limits.NONE);
  }

  /** The canonical path of a link's target below {@code /ms/{id}/}; empty for other targets. */
  public static Optional<String> path(Link link) {
    String target = link.target();
    return target.length() > 1
            && isOwn(target)
            && target.indexOf('?') < 0
            && target.indexOf('#') < 0
        ? Optional.of(ResourcePaths.canonical(ResourcePaths.segments(target.substring(1))))
        : Optional.empty();
  }

  /** Whether links contain a resource. Finds the usual spelling without parsing the links. */
  public static boolean contain(String links, String path) {
    int at = links.indexOf("</" + path + ">");
    return at == 0
        || at > 0 && links.charAt(at - 1) == ','
        || parseStored(links).stream().anyMatch(l -> path(l).filter(path::equals).isPresent());
  }

  /** The control of a resource, as its link declares it; without a link nothing is known. */
  public static ResourceControl control(String links, String path) {
    return parseStored(links).stream()
        .filter(link -> path(link).filter(path::equals).isPresent())
        .findFirst()
        .map(link -> ResourceControl.of(link, null))
        .orElse(ResourceControl.UNKNOWN);
  }

  /** Paths of the resources that accept commands; their links have {@code if="core.a"}. */
  public static List<String> actuators(String links) {
    return parseStored(links).stream()
        .filter(EndpointLinks::isActuator)
        .flatMap(link -> path(link).stream())
        .toList();
  }

  /** Whether a link says that its resource accepts commands. */
  public static boolean isActuator(Link link) {
    return link.attribute("if")
        .map(interfaces -> List.of(interfaces.split(" ")).contains("core.a"))
        .orElse(false);
  }

  /**
   * The links as the mirror publishes them (docs/protocol.md section 2): path-absolute references
   * moved below {@code /ms/{id}}, and a link from each resource to the key. Links that would refer
   * to other resources of the gateway are left out.
   *
   * @param isGateway whether a URI names the gateway
   */
  public static List<Link> published(
      String id, String links, String jkt, Predicate<String> isGateway) {
    List<Link> published = new ArrayList<>();
    Set<String> hosted = new LinkedHashSet<>();
    for (Link link : parseStored(links)) {
      if (poses(link.target(), isGateway)
          || link.attribute(Link.ANCHOR).filter(anchor -> poses(anchor, isGateway)).isPresent()) {
        continue;
      }
      Link rewritten =
          link.map(ref -> isOwn(ref) ? "/ms/" + id + UriReferences.normalPath(ref) : ref);
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

  /**
   * Whether a reference would stay unchanged and refer to the gateway: it is relative, or names the
   * gateway.
   */
  private static boolean poses(String reference, Predicate<String> isGateway) {
    return !isOwn(reference)
        && (!UriReferences.hasScheme(reference) && !reference.startsWith("//")
            || isGateway.test(reference.startsWith("//") ? "coap:" + reference : reference));
  }

  private static boolean isOwn(String reference) {
    return reference.startsWith("/") && !reference.startsWith("//");
  }
}
