package dev.vigil.gateway.duties;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Versioned;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateways of a cluster. Each writes its own record every few seconds, so that the others see
 * that it is alive, how far it has read, and whether its clock is right. The thread {@code duties}
 * writes; any thread may read.
 */
final class Gateways {
  private static final Logger log = LoggerFactory.getLogger(Gateways.class);

  /** The time between two records of a gateway. */
  static final Duration BEAT = Duration.ofSeconds(5);

  /** A gateway that is silent for this time is forgotten. */
  private static final Duration FORGOTTEN = Duration.ofHours(1);

  private static final Duration MAX_SKEW = Duration.ofMinutes(1);

  private final RecordSet<Beat> records;
  private final String own;
  private final Instant startedAt;
  private final LongSupplier position;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();

  /** Whether changes are new, not from the time before this start. */
  private volatile boolean live;

  private boolean began;
  private long beatAt;

  /**
   * @param position of the newest change that the gateway has
   */
  record Beat(Instant startedAt, long position) {}

  private record Heard(long nanos, Duration ahead) {}

  /**
   * @param own the name of this gateway
   * @param position of the newest change that this gateway has
   */
  Gateways(
      RecordSet<Beat> records,
      String own,
      LongSupplier position,
      Clock clock,
      LongSupplier nanoTime) {
    this.records = records;
    this.own = own;
    this.startedAt = clock.instant();
    this.position = position;
    this.clock = clock;
    this.nanoTime = nanoTime;
    records.onChange(this::hear);
    live = true;
  }

  private void hear(RecordChange<Beat> change) {
    Versioned<Beat> after = change.after();
    if (after == null) {
      heard.remove(change.id());
    } else {
      Duration ahead = live ? Duration.between(clock.instant(), after.at()) : Duration.ZERO;
      if (ahead.abs().compareTo(MAX_SKEW) > 0) {
        log.warn(
            "the clock of the gateway {} differs from this gateway's by {} s: run NTP on both",
            change.id(),
            ahead.toSeconds());
      }
      heard.put(change.id(), new Heard(nanoTime.getAsLong(), ahead));
    }
  }

  /** Writes this gateway's record if that is due. */
  void step() {
    long now = nanoTime.getAsLong();
    if (began && now - beatAt < BEAT.toNanos()) {
      return;
    }
    began = true;
    beatAt = now;
    records.put(
        own, new Beat(startedAt, position.getAsLong()), OptionalLong.empty(), Audit.UNRECORDED);
  }

  /** Removes the records of gateways that have been silent for long. */
  void forgetSilent() {
    for (ClusterGateway one : all()) {
      if (one.silent().compareTo(FORGOTTEN) > 0) {
        records.remove(one.name(), OptionalLong.empty(), Audit.UNRECORDED);
      }
    }
  }

  /** Removes this gateway's record, because it stops. */
  CompletableFuture<?> leave() {
    return records.remove(own, OptionalLong.empty(), Audit.UNRECORDED);
  }

  List<ClusterGateway> all() {
    long now = nanoTime.getAsLong();
    return records.all().stream()
        .map(
            record -> {
              Heard last = heard.getOrDefault(record.id(), new Heard(now, Duration.ZERO));
              return new ClusterGateway(
                  record.id(),
                  record.value().startedAt(),
                  record.value().position(),
                  Duration.ofNanos(now - last.nanos()),
                  last.ahead());
            })
        .toList();
  }
}
