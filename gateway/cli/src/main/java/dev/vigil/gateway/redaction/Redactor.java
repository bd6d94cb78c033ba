package dev.vigil.gateway.redaction;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Removes secrets from texts: known secrets wherever they occur, and others by their form. The text
 * around a secret stays readable.
 */
public final class Redactor {
  public static final String MARK = "[secret]";

  /** Shorter texts occur by chance, and every secret of a gateway is longer. */
  private static final int MIN_LENGTH = 6;

  private static final List<Pattern> FORMS =
      List.of(
          Pattern.compile("(?s)(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(?=-----END|\\z)"),
          Pattern.compile("(?i)(\\b(?:Bearer|Basic) )[\\w.~+/=-]+"),
          Pattern.compile("(?i)((?:set-)?cookie: *)[^\\r\\n]+"),
          // Private members of a JWK.
          Pattern.compile("(\"(?:d|k|p|q|dp|dq|qi)\" *: *\")[^\"]+"),
          // The user of a URI, and its password.
          Pattern.compile("(?i)(\\b[a-z][a-z0-9+.-]*://)[^/\\s@]+(?=@)"),
          // The query of a URI.
          Pattern.compile("(?i)(\\b[a-z][a-z0-9+.-]*://[^\\s?#\"'<>]+\\?)[^\\s#\"'<>]+"),
          Pattern.compile(
              "(?i)((?:password|passwd|passphrase|secret|token|api-?key|link-?key|psk)[\\w.-]*[\"']?"
                  + " *[=:] *[\"']?)[^\\s\"',;}\\[]+"));

  private final List<String> known;

  /**
   * @param secrets known secrets; surrounding blanks are ignored
   */
  public Redactor(Collection<String> secrets) {
    TreeSet<String> longestFirst =
        new TreeSet<>(
            Comparator.comparingInt(String::length).reversed().thenComparing(String::compareTo));
    secrets.stream()
        .map(String::strip)
        .filter(secret -> secret.length() >= MIN_LENGTH)
        .forEach(longestFirst::add);
    this.known = List.copyOf(longestFirst);
  }

  public String redact(String text) {
    String redacted = text;
    for (String secret : known) {
      redacted = redacted.replace(secret, MARK);
    }
    for (Pattern form : FORMS) {
      redacted = form.matcher(redacted).replaceAll("$1" + MARK);
    }
    return redacted;
  }
}
