package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import io.swagger.v3.oas.annotations.Parameter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** The query parameters of a history. */
record HistoryQuery(
    @Parameter(description = "measured at or after: 2026-11-20T12:00:00Z or unix seconds")
        @Nullable String from,
    @Parameter(description = "measured before") @Nullable String to,
    @Parameter(description = "length of a bucket, for instance 5m, 1h or 300")
        @Nullable String bucket,
    @Parameter(description = "only updates with a higher sequence number") @Nullable Long after,
    @Parameter(description = "number of updates, 1 to 1000; only without bucket")
        @Nullable Integer limit) {
  private static final long MAX_BUCKET = Duration.ofDays(10_000).toSeconds();

  /** Earliest time, unix time in seconds. */
  double first() {
    return from == null ? Double.NEGATIVE_INFINITY : seconds("from", from);
  }

  /** End of the time range, exclusive, unix time in seconds. */
  double end() {
    return to == null ? Double.POSITIVE_INFINITY : seconds("to", to);
  }

  /**
   * The sequence number after which updates are read; -1 for all.
   *
   * @throws ErrorResponseException 4.00
   */
  long afterNumber() {
    if (after == null) {
      return -1;
    }
    if (after < 0) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST, "after must be the sequence number of an update");
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
    throw new ErrorResponseException(
        Code.BAD_REQUEST, "bucket must be a duration such as 30s, 5m or 1h, from 1s to 10000d");
  }

  private static double seconds(String name, String text) {
    try {
      return text.matches("-?[0-9]{1,15}(\\.[0-9]{1,9})?")
          ? Double.parseDouble(text)
          : Instant.parse(text).toEpochMilli() / 1000.0;
    } catch (DateTimeException | ArithmeticException e) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST, name + " must be a time such as 2026-11-20T12:00:00Z, or unix seconds");
    }
  }
}
