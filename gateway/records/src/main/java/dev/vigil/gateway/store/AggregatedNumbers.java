package dev.vigil.gateway.store;

import dev.vigil.store.EndpointName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The aggregated numbers of resources. Any thread may read them; reading blocks on the store. */
public interface AggregatedNumbers {
  /** The start of the oldest aggregate of a resource; empty without one. */
  Optional<Instant> since(EndpointName endpoint, String path);

  /**
   * The aggregates of a resource. Two entries can be about the same series and start.
   *
   * @param from first start, unix time in seconds
   * @param to end of the starts, exclusive
   * @param limit maximum number of entries
   */
  List<AggregateStore.Entry> read(
      EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit);
}
