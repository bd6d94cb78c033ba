package dev.vigil.gateway.store;

import dev.vigil.store.EndpointName;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates of measured numbers by minute, hour and day. They outlive the signed values, and
 * nobody signed them. Safe for use by any number of threads.
 */
public interface AggregateStore {
  /** The number of parts into which endpoints are divided, so that each can be written alone. */
  int PARTS = 16;

  /** The part of an endpoint. The store relies on it, so it never changes. */
  static int part(EndpointName endpoint) {
    return Math.floorMod(31 * endpoint.d().hashCode() + endpoint.ep().hashCode(), PARTS);
  }

  /**
   * The position in the feed, for each part, up to which the aggregates contain every kept change
   * of the part's endpoints.
   */
  List<Long> positions();

  /**
   * Adds numbers, and moves {@link #positions} in the same transaction. The work of a call is
   * proportional to its minutes.
   *
   * @return completes exceptionally when the store could not write; then nothing was changed
   */
  CompletableFuture<?> add(Additions additions);

  /**
   * The aggregates of a resource by series and rising start.
   *
   * @param from first start, unix time in seconds
   * @param to end of the starts, exclusive
   * @param limit maximum number of aggregates
   */
  List<Entry> read(
      EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit);

  /** The start of the oldest aggregate of a resource, unix time in seconds. */
  OptionalLong oldest(EndpointName endpoint, String path);

  /**
   * Deletes a bounded number of aggregates that are too old, and of those of removed resources.
   * Every call continues where the last one ended.
   *
   * @param minutesFrom start of the oldest minute that stays
   * @param hoursFrom start of the oldest hour and day that stay
   * @return how many were deleted
   */
  CompletableFuture<Integer> expire(long minutesFrom, long hoursFrom);

  /**
   * Deletes a bounded number of the oldest minutes of the endpoint that has the most; hours and
   * days stay.
   *
   * @return how many were deleted
   */
  CompletableFuture<Integer> shrink();

  /** The octets of the database that are in use. */
  long usedOctets();

  /**
   * @param positions the new positions of all parts
   * @param removed resources whose aggregates are removed before the numbers are added
   * @param minutes the numbers by series and start of the minute
   */
  record Additions(
      List<Long> positions,
      Set<AggregatedResource> removed,
      Map<AggregateSeries, Map<Long, Aggregate>> minutes) {}

  /**
   * The series of a resource of an endpoint.
   *
   * @param kid only those of this key; null: all
   */
  record AggregatedResource(EndpointName endpoint, String path, @Nullable String kid) {}

  /**
   * @param start unix time in seconds
   */
  record Entry(AggregateSeries series, long start, Aggregate aggregate) {}
}
