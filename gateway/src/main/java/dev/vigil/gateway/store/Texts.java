package dev.vigil.gateway.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Names of slots, found by their octets: a few come again and again, and the driver makes a string
 * for each row in five times the time that octets take. For one thread.
 */
final class Texts {
  private static final int REMEMBERED = 256;

  private final byte[][] octets = new byte[REMEMBERED][0];
  private final @Nullable String[] texts = new @Nullable String[REMEMBERED];

  String of(byte[] utf8) {
    int at = Arrays.hashCode(utf8) & (REMEMBERED - 1);
    String known = texts[at];
    if (known != null && Arrays.equals(octets[at], utf8)) {
      return known;
    }
    String text = new String(utf8, StandardCharsets.UTF_8);
    octets[at] = utf8;
    texts[at] = text;
    return text;
  }
}
