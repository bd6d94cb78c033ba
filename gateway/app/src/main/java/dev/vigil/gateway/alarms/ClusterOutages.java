package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.kinds.ClusterUnreachable;
import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.GatewayStore;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** The present loss of contact with the cluster, or the last one. Used by one thread. */
@Component
final class ClusterOutages implements ClusterUnreachable.Source {
  /** The time for which an outage is reported after its end. */
  private static final Duration REPORTED = Duration.ofMinutes(10);

  private final LongSupplier silence;
  private final LongSupplier nanoTime;
  private long seconds;
  private long seenAt;

  @Autowired
  ClusterOutages(GatewayStore store, LongSupplier nanoTime) {
    this(() -> store.contact().map(ClusterContact::silentSeconds).orElse(0L), nanoTime);
  }

  /**
   * @param silence seconds without contact; 0 while there is contact
   */
  ClusterOutages(LongSupplier silence, LongSupplier nanoTime) {
    this.silence = silence;
    this.nanoTime = nanoTime;
  }

  @Override
  public void sample() {
    long now = nanoTime.getAsLong();
    long silent = silence.getAsLong();
    if (silent > 0) {
      seconds = silent;
      seenAt = now;
    } else if (now - seenAt > REPORTED.toNanos()) {
      seconds = 0;
    }
  }

  @Override
  public long secondsWithoutContact() {
    return seconds;
  }
}
