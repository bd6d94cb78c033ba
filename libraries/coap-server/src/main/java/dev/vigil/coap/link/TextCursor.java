package dev.vigil.coap.link;

/** Reads received text with bounds checks; no other class of the package indexes received text. */
final class TextCursor {
  private static final char END = '\uffff';

  private final String text;
  private int at;

  TextCursor(String text) {
    this.text = text;
  }

  boolean isAtEnd() {
    return at >= text.length();
  }

  /**
   * Returns the next character without consuming it; at the end U+FFFF, which is not a character.
   */
  char peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  char next() {
    if (isAtEnd()) {
      throw malformed("the text ends too early");
    }
    return text.charAt(at++);
  }

  void expect(char expected) {
    if (peek() != expected) {
      throw malformed("'" + expected + "' is missing");
    }
    at++;
  }

  boolean skip(char optional) {
    if (peek() != optional) {
      return false;
    }
    at++;
    return true;
  }

  int position() {
    return at;
  }

  String since(int start) {
    return text.substring(start, at);
  }

  boolean isSince(int start, String known) {
    return at - start == known.length() && text.startsWith(known, start);
  }

  LinkFormatException malformed(String problem) {
    return new LinkFormatException("link format: " + problem + " at character " + at);
  }
}
