package dev.vigil.store;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The grammar of endpoint and sector names (docs/protocol.md section 2): readers can tell two names
 * apart, and a name cannot change the text around it. Names that were stored before the grammar
 * existed are read unchanged.
 */
public final class NameGrammar {
  /** Octets of UTF-8 (RFC 9176 section 5). */
  public static final int MAX_OCTETS = 63;

  private NameGrammar() {}

  /**
   * The fault of a new name, for a diagnostic, for instance "is longer than 63 octets"; null if the
   * name has no fault. It never quotes the name.
   */
  public static @Nullable String fault(String name) {
    if (name.isEmpty()) {
      return "is empty";
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_OCTETS) {
      return "is longer than " + MAX_OCTETS + " octets";
    }
    if (name.startsWith(".")) {
      return "begins with a dot, as reserved names do";
    }
    OptionalInt invisible = invisible(name);
    if (invisible.isPresent()) {
      return String.format(
          Locale.ROOT,
          "holds U+%04X, a control, format, private or unassigned character",
          invisible.getAsInt());
    }
    if (name.codePoints().anyMatch(NameGrammar::isOtherSpace)
        || name.startsWith(" ")
        || name.endsWith(" ")
        || name.contains("  ")) {
      return "has other spaces than single ones between characters";
    }
    return Normalizer.isNormalized(name, Normalizer.Form.NFC)
        ? null
        : "is not in Unicode normalization form C";
  }

  /**
   * The first character of a text that is invisible or changes how its neighbours are displayed:
   * control, format, line and paragraph separators, surrogates, private use, unassigned.
   */
  public static OptionalInt invisible(String text) {
    return text.codePoints().filter(NameGrammar::isInvisible).findFirst();
  }

  private static boolean isInvisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  private static boolean isOtherSpace(int codePoint) {
    return codePoint != ' ' && Character.getType(codePoint) == Character.SPACE_SEPARATOR;
  }
}
