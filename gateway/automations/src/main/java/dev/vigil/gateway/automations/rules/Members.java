package dev.vigil.gateway.automations.rules;

import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.store.NameGrammar;
import org.jspecify.annotations.Nullable;

/** Checks of single members of a request. Each refusal names the member. */
public final class Members {
  private static final int MAX_NAME = 100;

  private Members() {}

  static <T> T present(String member, @Nullable T given) {
    if (given == null) {
      throw refused(member, "is missing");
    }
    return given;
  }

  static String title(String member, String given) {
    return line(member, given, MAX_NAME).strip();
  }

  /** A text of one line. */
  static String line(String member, String given, int most) {
    require(!given.isBlank(), member, "is empty");
    require(given.length() <= most, member, "has more than " + most + " characters");
    require(NameGrammar.invisible(given).isEmpty(), member, "holds a character that is not shown");
    return given;
  }

  /** The name of an endpoint or a domain. */
  static String name(String member, String given) {
    String fault = NameGrammar.fault(given);
    require(fault == null, member, String.valueOf(fault));
    return given;
  }

  static long within(String member, @Nullable Long given, long least, long most, long defaults) {
    require(
        given == null || given >= least && given <= most, member, "takes " + least + " to " + most);
    return given == null ? defaults : given;
  }

  /** A member that other kinds have. */
  static void absent(String member, @Nullable Object given) {
    require(given == null, member, "does not apply to this kind");
  }

  public static void require(boolean holds, String member, String fault) {
    if (!holds) {
      throw refused(member, fault);
    }
  }

  public static ProblemException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}
