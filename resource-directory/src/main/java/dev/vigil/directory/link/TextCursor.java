package dev.vigil.directory.link;

/** The only place that indexes received text; every read is checked against the end. */
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

  /** The next character, or one that is no character at the end. */
  char peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  char next() {
    if (isAtEnd()) {
      throw wrong("the text ends too early");
    }
    return text.charAt(at++);
  }

  void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong("'" + wanted + "' is missing");
    }
    at++;
  }

  boolean skip(char wanted) {
    if (peek() != wanted) {
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

  LinkFormatException wrong(String what) {
    return new LinkFormatException("link format: " + what + " at character " + at);
  }
}
