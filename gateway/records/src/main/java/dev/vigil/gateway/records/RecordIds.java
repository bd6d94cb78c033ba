package dev.vigil.gateway.records;

import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.regex.Pattern;

/** The ids that operators choose for records. */
public final class RecordIds {
  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

  private RecordIds() {}

  /**
   * @throws ProblemException 4.00 when an id of a path is not one that may be chosen
   */
  public static void require(String id) {
    if (!ID.matcher(id).matches()) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          "id: takes 1 to 64 lower-case letters, digits and hyphens");
    }
  }
}
