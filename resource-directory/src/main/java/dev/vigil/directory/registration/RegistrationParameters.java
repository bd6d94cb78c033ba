package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.LinkFormatException;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.EndpointName;
import dev.vigil.store.NameGrammar;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The checked parameters of a registration or an update (RFC 9176 sections 5 and 5.3.1).
 *
 * @param ep endpoint name; empty when absent
 * @param d sector; empty when absent
 * @param extra further parameters, which the directory stores without interpreting them
 */
record RegistrationParameters(
    String ep,
    String d,
    OptionalLong lifetime,
    Optional<String> base,
    List<Query.Parameter> extra) {

  static final long STANDARD_LIFETIME = 90_000;

  private static final int MAX_EXTRA = 16;
  private static final int EXTRA_OCTETS = 255;
  private static final Set<String> KNOWN = Set.of("ep", "d", "lt", "base");

  /** Names that have a special meaning in lookups and endpoint links. */
  private static final Set<String> RESERVED =
      Set.of("page", "count", "href", "anchor", "rt", "rel");

  /**
   * @throws ErrorResponseException 4.00 for parameters that RFC 9176 forbids
   */
  static RegistrationParameters of(Query query) {
    List<Query.Parameter> extra =
        query.parameters().stream().filter(p -> !KNOWN.contains(p.name())).toList();
    requireFew(extra);
    extra.forEach(RegistrationParameters::requireStorable);
    return new RegistrationParameters(
        name(query, "ep"),
        name(query, "d"),
        query.single("lt").map(RegistrationParameters::lifetime).orElse(OptionalLong.empty()),
        query.single("base").map(RegistrationParameters::requireBase),
        extra);
  }

  /**
   * Limits the further parameters of a registration, which several updates may have added.
   *
   * @throws ErrorResponseException 4.00 if there are more than {@link #MAX_EXTRA}
   */
  static void requireFew(List<Query.Parameter> extra) {
    if (extra.size() > MAX_EXTRA) {
      throw bad("the registration has more than " + MAX_EXTRA + " further parameters");
    }
  }

  /**
   * @throws ErrorResponseException 4.00 if there is no endpoint name
   */
  EndpointName name() {
    if (ep.isEmpty()) {
      throw bad("ep is missing");
    }
    return new EndpointName(ep, d);
  }

  private static String name(Query query, String parameter) {
    String name = query.single(parameter).orElse("");
    String fault = name.isEmpty() ? null : NameGrammar.fault(name);
    if (fault != null) {
      throw bad(parameter + " " + fault);
    }
    return name;
  }

  private static OptionalLong lifetime(String text) {
    boolean digits =
        !text.isEmpty()
            && text.length() <= 10
            && text.chars().allMatch(RegistrationParameters::isDigit);
    long seconds = digits ? Long.parseLong(text) : 0;
    if (seconds < 1 || seconds > Registration.LONGEST_LIFETIME) {
      throw bad("lt is not within 1 to " + Registration.LONGEST_LIFETIME);
    }
    return OptionalLong.of(seconds);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static String requireBase(String base) {
    URI uri;
    try {
      uri = new URI(base);
    } catch (URISyntaxException e) {
      throw bad("base is not a URI");
    }
    if (!uri.isAbsolute() || uri.getRawAuthority() == null) {
      throw bad("base is not scheme://authority");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw bad("base has a query or a fragment");
    }
    if (uri.getRawAuthority().indexOf('%') >= 0 && uri.getRawAuthority().startsWith("[")) {
      throw bad("base has a zone identifier");
    }
    return base;
  }

  private static void requireStorable(Query.Parameter parameter) {
    String name = parameter.name();
    if (RESERVED.contains(name)) {
      throw bad(name + " cannot be a registration parameter");
    }
    boolean isName =
        name.chars()
            .allMatch(c -> Character.isLetterOrDigit(c) && c < 128 || "-_.".indexOf(c) >= 0);
    boolean isText = NameGrammar.invisible(parameter.value()).isEmpty();
    int octets = (name + parameter.value()).getBytes(StandardCharsets.UTF_8).length;
    if (!isName) {
      throw bad(
          "\"" + printable(name) + "\" is not a parameter name: use only letters, digits, - _ .");
    }
    if (!isText) {
      throw bad(name + " holds a control or format character");
    }
    if (octets > EXTRA_OCTETS) {
      throw bad(printable(name) + " and its value are longer than " + EXTRA_OCTETS + " octets");
    }
  }

  /** A text shortened to one line of a diagnostic payload. */
  static String printable(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= 40 ? line : line.substring(0, 40) + "...";
  }

  /**
   * The links of a registration.
   *
   * @throws ErrorResponseException 4.00 for anything but Limited Link Format (RFC 9176 appendix C),
   *     4.13 beyond the limits
   */
  static List<Link> links(byte[] payload, LinkFormat.Limits limits) {
    if (payload.length > limits.octets()) {
      throw new ErrorResponseException(
          Code.REQUEST_ENTITY_TOO_LARGE, "more than " + limits.octets() + " octets of links");
    }
    List<Link> links;
    try {
      links = LinkFormat.parse(payload, limits);
    } catch (LinkFormatException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
    for (Link link : links) {
      requireLimited(link.target());
      for (Link.Attribute attribute : link.attributes()) {
        if (attribute.name().equals(Link.ANCHOR)) {
          requireLimited(attribute.text());
        }
      }
    }
    return links;
  }

  private static void requireLimited(String reference) {
    if (!UriReferences.isLimited(reference)) {
      throw bad(
          "a reference is neither a URI nor a path from the root: <" + printable(reference) + ">");
    }
  }

  /** Whether the host of a base is a link-local address (RFC 4291 section 2.5.6, RFC 3927). */
  static boolean isLinkLocal(String base) {
    int authority = base.indexOf("://") + 3;
    int host = Math.max(authority, base.indexOf('@', authority) + 1);
    if (!base.startsWith("169.254.", host) && !base.regionMatches(true, host, "[fe", 0, 3)) {
      return false;
    }
    String literal = URI.create(base).getHost();
    try {
      return literal != null
          && InetAddress.ofLiteral(literal.replace("[", "").replace("]", "")).isLinkLocalAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static ErrorResponseException bad(String line) {
    return new ErrorResponseException(Code.BAD_REQUEST, line);
  }
}
