package dev.vigil.coap.link;

/** The parts of RFC 3986 that links need. */
public final class UriReferences {
  private UriReferences() {}

  /**
   * Resolves a reference against a base (RFC 3986 section 5.2).
   *
   * @param base an absolute URI with an authority
   */
  public static String resolve(String base, String reference) {
    if (hasScheme(reference)) {
      // A full URI is left as it was submitted (RFC 9176 section 6.1).
      return reference;
    }
    if (reference.startsWith("//")) {
      return base.substring(0, base.indexOf(':') + 1) + reference;
    }
    String origin = origin(base);
    if (reference.startsWith("/")) {
      return origin + normalPath(reference);
    }
    String path = pathOf(base.substring(origin.length()));
    if (reference.isEmpty() || reference.startsWith("#")) {
      return withoutFragment(base) + reference;
    }
    if (reference.startsWith("?")) {
      return origin + path + reference;
    }
    String folder = path.isEmpty() ? "/" : path.substring(0, path.lastIndexOf('/') + 1);
    return origin + normalPath(folder + reference);
  }

  /** The scheme and authority of a URI: everything before its path. */
  public static String origin(String uri) {
    return uri.substring(0, originLength(uri));
  }

  static int originLength(String uri) {
    int authority = uri.indexOf("://");
    if (authority < 0) {
      return uri.length();
    }
    for (int i = authority + 3; i < uri.length(); i++) {
      char c = uri.charAt(i);
      if (c == '/' || c == '?' || c == '#') {
        return i;
      }
    }
    return uri.length();
  }

  public static boolean hasScheme(String reference) {
    if (reference.isEmpty() || !isLetter(reference.charAt(0))) {
      return false;
    }
    for (int i = 1; i < reference.length(); i++) {
      char c = reference.charAt(i);
      if (c == ':') {
        return true;
      }
      if (!isLetter(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') {
        return false;
      }
    }
    return false;
  }

  /** Whether Limited Link Format allows a reference (RFC 9176 appendix C). */
  public static boolean isLimited(String reference) {
    return hasScheme(reference) || reference.startsWith("/") && !reference.startsWith("//");
  }

  /** A path-absolute reference without dot segments (RFC 3986 section 5.2.4). */
  public static String normalPath(String reference) {
    if (!reference.contains("/.")) {
      return reference;
    }
    String path = pathOf(reference);
    StringBuilder out = new StringBuilder();
    String rest = path;
    while (!rest.isEmpty()) {
      if (rest.equals("/.") || rest.startsWith("/./")) {
        rest = "/" + (rest.length() > 3 ? rest.substring(3) : "");
      } else if (rest.equals("/..") || rest.startsWith("/../")) {
        rest = "/" + (rest.length() > 4 ? rest.substring(4) : "");
        out.setLength(Math.max(0, out.lastIndexOf("/")));
      } else {
        int end = rest.indexOf('/', 1);
        String segment = end < 0 ? rest : rest.substring(0, end);
        out.append(segment);
        rest = rest.substring(segment.length());
      }
    }
    return out + reference.substring(path.length());
  }

  private static String pathOf(String reference) {
    for (int i = 0; i < reference.length(); i++) {
      char c = reference.charAt(i);
      if (c == '?' || c == '#') {
        return reference.substring(0, i);
      }
    }
    return reference;
  }

  private static String withoutFragment(String uri) {
    int fragment = uri.indexOf('#');
    return fragment < 0 ? uri : uri.substring(0, fragment);
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }
}
