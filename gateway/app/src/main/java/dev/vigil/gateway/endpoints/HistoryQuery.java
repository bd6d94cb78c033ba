package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.api.QueryValues;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** The query parameters of a history. */
record HistoryQuery(
    @Parameter(
            description = "measured at or after: 2026-11-20T12:00:00Z or unix seconds",
            schema = @Schema(type = "string", maxLength = 40))
        @Nullable String from,
    @Parameter(
            description = "measured before, in the same form",
            schema = @Schema(type = "string", maxLength = 40))
        @Nullable String to,
    @Parameter(
            description = "length of a bucket, for instance 5m, 1h or 300",
            schema = @Schema(type = "string", maxLength = 20))
        @Nullable String bucket,
    @Parameter(
            description = "next of an earlier answer: continues after the update of this number",
            schema = @Schema(type = "integer", format = "int64", minimum = "0"))
        @Nullable Long after,
    @Parameter(
            description = "number of updates at most; only without bucket",
            schema =
                @Schema(
                    type = "integer",
                    format = "int32",
                    minimum = "1",
                    maximum = "1000",
                    defaultValue = "100"))
        @Nullable Integer limit,
    @Parameter(
            description = "oldest or newest update first; buckets have their own order",
            schema =
                @Schema(
                    allowableValues = {OLDEST, NEWEST},
                    defaultValue = OLDEST))
        @Nullable String order) {
  static final String OLDEST = "oldest";
  static final String NEWEST = "newest";

  private static final long MAX_BUCKET = Duration.ofDays(10_000).toSeconds();

  /** Earliest time, unix time in seconds. */
  double first() {
    return from == null ? Double.NEGATIVE_INFINITY : QueryValues.time("from", from);
  }

  /** End of the time range, exclusive, unix time in seconds. */
  double end() {
    return to == null ? Double.POSITIVE_INFINITY : QueryValues.time("to", to);
  }

  /**
   * Whether the newest update comes first.
   *
   * @throws ErrorResponseException 4.00
   */
  boolean newestFirst() {
    QueryValues.oneOf("order", order, List.of(OLDEST, NEWEST));
    if (NEWEST.equals(order) && bucket != null) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "order: newest is for single values, not for buckets");
    }
    return NEWEST.equals(order);
  }

  /**
   * The sequence number beyond which updates are read: -1 for all in rising order, the greatest for
   * all in falling order.
   *
   * @throws ErrorResponseException 4.00
   */
  long afterNumber() {
    if (after == null) {
      return newestFirst() ? Long.MAX_VALUE : -1;
    }
    if (after < 0) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "after must be the sequence number of an update");
    }
    return after;
  }

  /**
   * The length of a bucket in seconds; 0 when single values are requested.
   *
   * @throws ErrorResponseException 4.00
   */
  long bucketSeconds() {
    if (bucket == null) {
      return 0;
    }
    try {
      long length = DurationStyle.detectAndParse(bucket, ChronoUnit.SECONDS).toSeconds();
      if (length >= 1 && length <= MAX_BUCKET) {
        return length;
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Reported below.
    }
    throw new ProblemException(
        ProblemType.INVALID_PARAMETER,
        "bucket must be a duration such as 30s, 5m or 1h, from 1s to 10000d");
  }
}
