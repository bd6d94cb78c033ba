package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.store.EndpointName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A gateway that has aggregated nothing. */
final class NoAggregates implements AggregatedNumbers {
  @Override
  public Optional<Instant> since(EndpointName endpoint, String path) {
    return Optional.empty();
  }

  @Override
  public List<Entry> read(
      EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit) {
    return List.of();
  }
}
