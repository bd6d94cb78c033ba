package dev.vigil.gateway.store.sqlite.memory;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slot names by their UTF-8 octets. A few names occur in many rows, and the driver takes five times
 * as long to return a string as to return octets. Used by one thread.
 */
public final class SlotNameCache {
  private static final int SIZE = 256;

  private final byte[][] octets = new byte[SIZE][0];
  private final @Nullable String[] texts = new @Nullable String[SIZE];

  public String of(byte[] utf8) {
    int at = Arrays.hashCode(utf8) & (SIZE - 1);
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
