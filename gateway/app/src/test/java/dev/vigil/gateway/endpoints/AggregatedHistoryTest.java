package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.store.EndpointName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories from aggregates. */
class AggregatedHistoryTest {
  private static final EndpointName MOTE = new EndpointName("mote-1", "");

  @TempDir private Path folder = Path.of("");

  /** Aggregates of two keys and of recovered readings, each minute from 1970 on. */
  private record Minutes(String revoked, int number) implements AggregatedNumbers {
    @Override
    public Optional<Instant> since(EndpointName endpoint, String path) {
      return Optional.of(Instant.EPOCH);
    }

    @Override
    public List<Entry> read(
        EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit) {
      return IntStream.range(0, Math.min(number, limit))
          .mapToObj(
              i -> {
                String kid = List.of("k", revoked, AggregateSeries.RECOVERED).get(i % 3);
                return new Entry(
                    new AggregateSeries(MOTE, "temp", "t", "", kid), 0, Aggregate.of(i, i));
              })
          .toList();
    }
  }

  private HistoryJson read(int number) {
    MirrorInMemory mirror = new MirrorInMemory(folder, Duration.ofMinutes(1));
    String id = mirror.registered(new SleepyEndpoint("mote-1"), "</temp>");
    SleepyEndpoint other = new SleepyEndpoint("mote-2");
    mirror.registered(other, "</temp>");
    mirror.mirror().operations().revoke(other.jkt(), "operator").join();
    EndpointView view = mirror.mirror().queries().endpoint(id).orElseThrow();
    HistoryReader reader =
        new HistoryReader(
            mirror.mirror().queries(),
            new Minutes(other.jkt(), number),
            new ArchiveReadLimiter(mirror));
    Caller caller =
        Caller.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), true);
    return reader.read(
        caller, view, "temp", new HistoryQuery(null, null, "1h", null, null, HistoryQuery.OLDEST));
  }

  @Test
  void numbersOfARevokedKeyAreLeftOutAndRecoveredOnesAreCounted() {
    HistoryJson answer = read(6);
    assertThat(answer.resolution()).isEqualTo("hour");
    List<TimeBuckets.SeriesJson> series = answer.series() == null ? List.of() : answer.series();
    TimeBuckets.BucketJson bucket = series.getFirst().buckets().getFirst();
    assertThat(bucket.count()).isEqualTo(4);
    assertThat(bucket.recovered()).isEqualTo(2);
    assertThat(bucket.last()).isEqualTo(5);
  }

  @Test
  void tooManyAggregatesAreRefused() {
    assertThatThrownBy(() -> read(200_000))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("whole hours or days");
  }
}
