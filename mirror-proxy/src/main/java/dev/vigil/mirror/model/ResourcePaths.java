package dev.vigil.mirror.model;

import dev.vigil.mirror.refusal.RequestRefused;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Resource paths below {@code /ms/{id}/}: path segments and their canonical encoding. */
public final class ResourcePaths {
  /** Characters of a path segment other than letters and digits (RFC 3986 section 3.3). */
  private static final String UNESCAPED = "-._~!$&'()*+,;=:@";

  private static final int MAX_LENGTH = 255;

  private ResourcePaths() {}

  /**
   * Joins segments with slashes, percent-encoded only where RFC 7252 section 6.5 requires it.
   *
   * @throws RequestRefused 4.00 if the path is too long
   */
  public static String canonical(List<String> segments) {
    String path =
        segments.size() == 1
            ? encode(segments.getFirst())
            : segments.stream().map(ResourcePaths::encode).collect(Collectors.joining("/"));
    if (path.length() > MAX_LENGTH) {
      throw RequestRefused.malformed("the path is longer than " + MAX_LENGTH);
    }
    return path;
  }

  /**
   * Splits an encoded path into decoded segments.
   *
   * @throws RequestRefused 4.00 on invalid percent-encoding
   */
  public static List<String> segments(String path) {
    return Stream.of(path.split("/", -1)).map(ResourcePaths::decode).toList();
  }

  /** Whether an encoded path, in any spelling, has the given canonical form. */
  public static boolean spells(String path, String canonical) {
    try {
      return path.equals(canonical) || canonical(segments(path)).equals(canonical);
    } catch (RequestRefused e) {
      return false;
    }
  }

  private static String encode(String segment) {
    for (int i = 0; i < segment.length(); i++) {
      if (!isUnescaped(segment.charAt(i))) {
        return encodeFrom(segment, i);
      }
    }
    return segment;
  }

  private static String encodeFrom(String segment, int start) {
    StringBuilder encoded = new StringBuilder(segment.substring(0, start));
    for (byte octet : segment.substring(start).getBytes(StandardCharsets.UTF_8)) {
      if (octet > 0 && isUnescaped((char) octet)) {
        encoded.append((char) octet);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
      }
    }
    return encoded.toString();
  }

  private static boolean isUnescaped(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || UNESCAPED.indexOf(c) >= 0;
  }

  private static String decode(String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c != '%') {
        octets.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      } else if (i + 2 < segment.length()
          && Character.digit(segment.charAt(i + 1), 16) >= 0
          && Character.digit(segment.charAt(i + 2), 16) >= 0) {
        octets.write(Integer.parseInt(segment, i + 1, i + 3, 16));
        i += 2;
      } else {
        throw RequestRefused.malformed("the path has invalid percent-encoding");
      }
    }
    return octets.toString(StandardCharsets.UTF_8);
  }
}
