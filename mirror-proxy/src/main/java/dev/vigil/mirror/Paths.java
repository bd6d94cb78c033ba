package dev.vigil.mirror;

import dev.vigil.mirror.wire.Rejection;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Paths of resources below {@code /ms/{id}/}: segments, and one percent-encoded form of each. */
final class Paths {
  /** Of a path segment, besides letters and digits (RFC 3986 section 3.3). */
  private static final String PLAIN = "-._~!$&'()*+,;=:@";

  private static final int MAX_LENGTH = 255;

  private Paths() {}

  /**
   * The canonical form: percent-encoded only where RFC 7252 section 6.5 says so.
   *
   * @throws Rejection 4.00 when it is too long
   */
  static String canonical(List<String> segments) {
    String path =
        segments.size() == 1
            ? encode(segments.getFirst())
            : segments.stream().map(Paths::encode).collect(Collectors.joining("/"));
    if (path.length() > MAX_LENGTH) {
      throw Rejection.malformed("the path is longer than " + MAX_LENGTH);
    }
    return path;
  }

  /**
   * The segments of an encoded path.
   *
   * @throws Rejection 4.00
   */
  static List<String> segments(String path) {
    return Stream.of(path.split("/", -1)).map(Paths::decode).toList();
  }

  private static String encode(String segment) {
    for (int i = 0; i < segment.length(); i++) {
      if (!plain(segment.charAt(i))) {
        return encodeFrom(segment, i);
      }
    }
    return segment;
  }

  private static String encodeFrom(String segment, int start) {
    StringBuilder encoded = new StringBuilder(segment.substring(0, start));
    for (byte octet : segment.substring(start).getBytes(StandardCharsets.UTF_8)) {
      if (octet > 0 && plain((char) octet)) {
        encoded.append((char) octet);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
      }
    }
    return encoded.toString();
  }

  private static boolean plain(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || PLAIN.indexOf(c) >= 0;
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
        throw Rejection.malformed("not percent-encoding");
      }
    }
    return octets.toString(StandardCharsets.UTF_8);
  }
}
