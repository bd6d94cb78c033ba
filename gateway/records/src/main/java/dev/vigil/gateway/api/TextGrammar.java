package dev.vigil.gateway.api;

/**
 * The grammar of every text that is stored through the REST API: Unicode scalar values, which UTF-8
 * can express (RFC 8259 section 8.2), without control characters other than tab and line breaks.
 */
public final class TextGrammar {
  /** Completes a sentence about a text that is refused. */
  public static final String FAULT = "has a control character or half of a surrogate pair";

  private TextGrammar() {}

  public static boolean isText(String text) {
    return text.codePoints().allMatch(TextGrammar::isAllowed);
  }

  private static boolean isAllowed(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.SURROGATE -> false;
      case Character.CONTROL -> codePoint == '\t' || codePoint == '\n' || codePoint == '\r';
      default -> true;
    };
  }
}
