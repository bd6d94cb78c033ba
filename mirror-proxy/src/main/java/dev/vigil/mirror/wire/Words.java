package dev.vigil.mirror.wire;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Short ASCII strings that come again and again (names of members, units), made once. A table of
 * fixed size in which a newer string takes the place of another: what a stranger sends costs others
 * at most a string made anew.
 */
final class Words {
  static final int LONGEST = 32;
  private static final int PLACES = 512;

  /** Written by any thread: a string is whole for whoever sees it, and a lost one is made again. */
  private static final @Nullable String[] SEEN = new @Nullable String[PLACES];

  private Words() {}

  static String of(byte[] octets, int from, int length) {
    int hash = length;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + octets[i];
    }
    int place = (hash ^ hash >>> 9) & (PLACES - 1);
    String seen = SEEN[place];
    if (seen != null && same(seen, octets, from, length)) {
      return seen;
    }
    String made = new String(octets, from, length, StandardCharsets.ISO_8859_1);
    SEEN[place] = made;
    return made;
  }

  private static boolean same(String seen, byte[] octets, int from, int length) {
    if (seen.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (seen.charAt(i) != (octets[from + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }
}
