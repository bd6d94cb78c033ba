package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.List;

/** Parses roles from requests. */
public final class GrantTexts {
  private static final int MAX = 64;

  private GrantTexts() {}

  /**
   * @throws ProblemException 4.00 when a text is malformed
   */
  public static Grants read(List<String> texts) {
    if (texts.size() > MAX || texts.contains(null)) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST, "roles takes at most " + MAX + " roles");
    }
    try {
      return Grants.of(texts);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
  }
}
