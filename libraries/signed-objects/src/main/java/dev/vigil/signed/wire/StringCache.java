package dev.vigil.signed.wire;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A cache of frequent short ASCII strings, such as member names and units. The table has a fixed
 * size, and a new string replaces the one in its slot. Hostile input therefore costs others at most
 * the creation of a string.
 */
final class StringCache {
  static final int MAX_LENGTH = 32;
  private static final int SLOTS = 512;

  /** Any thread writes without locks; strings are immutable, and a lost one is created again. */
  private static final @Nullable String[] CACHE = new @Nullable String[SLOTS];

  private StringCache() {}

  static String of(byte[] octets, int from, int length) {
    int hash = length;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + octets[i];
    }
    int slot = (hash ^ hash >>> 9) & (SLOTS - 1);
    String cached = CACHE[slot];
    if (cached != null && matches(cached, octets, from, length)) {
      return cached;
    }
    String created = new String(octets, from, length, StandardCharsets.ISO_8859_1);
    CACHE[slot] = created;
    return created;
  }

  private static boolean matches(String cached, byte[] octets, int from, int length) {
    if (cached.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (cached.charAt(i) != (octets[from + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }
}
