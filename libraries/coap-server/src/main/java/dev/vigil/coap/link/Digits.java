package dev.vigil.coap.link;

/** Decimal digits of ASCII. */
final class Digits {
  private Digits() {}

  /** Whether a text consists of one or more digits. */
  static boolean only(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }
}
