package dev.vigil.gateway.accounts;

import dev.vigil.gateway.credentials.PasswordHasher;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.Locale;

/** The rules for new passwords. Length matters; kinds of characters do not (NIST SP 800-63B). */
public final class PasswordRules {
  static final int MIN = 12;
  public static final int MAX = 256;
  private static final int MIN_DISTINCT = 5;

  private PasswordRules() {}

  /**
   * @throws ProblemException 4.00 with the fault of the password
   */
  public static void require(String account, String password) {
    String text = PasswordHasher.normalized(password);
    if (text.codePointCount(0, text.length()) < MIN) {
      throw refused("needs at least " + MIN + " characters");
    }
    if (text.length() > MAX) {
      throw refused("may have at most " + MAX + " characters");
    }
    if (text.codePoints().distinct().count() < MIN_DISTINCT) {
      throw refused("has too few different characters");
    }
    String bare = text.toLowerCase(Locale.ROOT).replace(account, "");
    if (bare.length() < MIN / 2) {
      throw refused("must be more than the name of the account");
    }
  }

  private static ProblemException refused(String why) {
    return new ProblemException(ProblemType.INVALID_REQUEST, "the new password " + why);
  }
}
