package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks query parameters whose value is one of several words. */
public final class QueryValues {
  private QueryValues() {}

  /**
   * @return the given value
   * @throws ErrorResponseException 4.00 with the parameter and the allowed words
   */
  public static @Nullable String oneOf(
      String parameter, @Nullable String given, List<String> words) {
    if (given == null || words.contains(given)) {
      return given;
    }
    throw new ProblemException(
        ProblemType.INVALID_PARAMETER, parameter + ": takes one of " + String.join(", ", words));
  }
}
