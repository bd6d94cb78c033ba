package dev.vigil.gateway.aggregates;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.store.EndpointName;
import dev.vigil.store.StoreException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Aggregates on a disk that is full until the test makes room. */
final class FullDisk implements AggregateStore {
  private final AggregateStore inner;
  boolean full = true;

  FullDisk(AggregateStore inner) {
    this.inner = inner;
  }

  @Override
  public List<Long> positions() {
    return inner.positions();
  }

  @Override
  public CompletableFuture<?> add(Additions additions) {
    return full
        ? CompletableFuture.failedFuture(new StoreException("the disk is full"))
        : inner.add(additions);
  }

  @Override
  public List<Entry> read(
      EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit) {
    return inner.read(endpoint, path, resolution, from, to, limit);
  }

  @Override
  public OptionalLong oldest(EndpointName endpoint, String path) {
    return inner.oldest(endpoint, path);
  }

  @Override
  public CompletableFuture<Integer> expire(long minutesFrom, long hoursFrom) {
    return inner.expire(minutesFrom, hoursFrom);
  }

  @Override
  public CompletableFuture<Integer> shrink() {
    return inner.shrink();
  }

  @Override
  public long usedOctets() {
    return inner.usedOctets();
  }
}
