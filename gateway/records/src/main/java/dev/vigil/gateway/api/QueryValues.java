package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the values of query parameters that take one of several words. */
public final class QueryValues {
  private QueryValues() {}

  /**
   * @return the given value
   * @throws ErrorResponseException 4.00 that names the parameter and the words
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
