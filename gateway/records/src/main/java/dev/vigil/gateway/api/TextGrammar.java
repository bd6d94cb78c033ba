package dev.vigil.gateway.api;

/**
 * The grammar of every string that is stored through the REST API. It allows Unicode scalar values,
 * which UTF-8 can express (RFC 8259 section 8.2). Of the control characters it allows only tab and
 * line breaks.
 */
public final class TextGrammar {
  /** The predicate of an error message about a refused string. */
  public static final String FAULT = "contains a control character or half of a surrogate pair";

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
