package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks query parameters that are words or times. */
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

  /**
   * Reads a time: ISO 8601, or unix seconds.
   *
   * @return unix time in seconds
   * @throws ErrorResponseException 4.00 with the parameter and an example
   */
  public static double time(String parameter, String given) {
    try {
      return given.matches("-?[0-9]{1,15}(\\.[0-9]{1,9})?")
          ? Double.parseDouble(given)
          : Instant.parse(given).toEpochMilli() / 1000.0;
    } catch (DateTimeException | ArithmeticException e) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          parameter + " must be a time such as 2026-11-20T12:00:00Z, or unix seconds");
    }
  }
}
