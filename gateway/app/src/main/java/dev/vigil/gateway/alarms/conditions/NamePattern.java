package dev.vigil.gateway.alarms.conditions;

/** Patterns of names, in which {@code *} stands for any number of characters. */
final class NamePattern {
  private NamePattern() {}

  /** The time is at most proportional to the product of the lengths, for any pattern. */
  static boolean matches(String pattern, String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int retry = 0;
    while (n < name.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        retry = n;
      } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++retry;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
