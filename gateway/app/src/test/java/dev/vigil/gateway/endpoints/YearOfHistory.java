package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.AggregateStore.Additions;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Measures charts of a resource with a million values in a year, and the octets that their
 * aggregates take. Run by hand: {@code YearOfHistory FOLDER}, a new folder.
 */
final class YearOfHistory {
  private static final int VALUES = 1_000_000;
  private static final int VALUES_IN_A_WRITE = 10_000;
  private static final Duration YEAR = Duration.ofDays(365);
  private static final EndpointName MOTE = new EndpointName("mote-1", "");
  private static final AggregateSeries SERIES =
      new AggregateSeries(MOTE, "temp", "mote-1/temp", "Cel", "k".repeat(43));
  private static final int ROUNDS = 5;

  private YearOfHistory() {}

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      store
          .submit(
              new Batch(
                  MOTE,
                  Instant.now(),
                  OptionalLong.of(1),
                  OptionalLong.empty(),
                  List.of(new Fact("value/temp", 1, new byte[] {'x'}))))
          .join();
      MirrorInMemory mirror = new MirrorInMemory(folder, Duration.ofMinutes(1));
      String id = mirror.registered(new SleepyEndpoint("mote-1"), "</temp>");
      long end = mirror.instant().getEpochSecond();
      long empty = store.aggregates().usedOctets();
      long filled = System.nanoTime();
      fill(store.aggregates(), end - YEAR.toSeconds());
      print("writing %d values: %.1f s", VALUES, (System.nanoTime() - filled) / 1e9);
      long octets = store.aggregates().usedOctets() - empty;
      print("%.1f MB, %.0f octets for each minute", octets / 1e6, octets / 525_600.0);
      EndpointView view = mirror.mirror().queries().endpoint(id).orElseThrow();
      measure(mirror, store, view, end - YEAR.toSeconds(), "2d");
      measure(mirror, store, view, end - YEAR.toSeconds(), "1h");
      measure(mirror, store, view, end - Duration.ofDays(30).toSeconds(), "2h");
      measure(mirror, store, view, end - Duration.ofDays(1).toSeconds(), "5m");
    }
  }

  private static void fill(AggregateStore aggregates, long start) {
    double interval = (double) YEAR.toSeconds() / VALUES;
    Map<Long, Aggregate> minutes = new TreeMap<>();
    for (int i = 0; i < VALUES; i++) {
      double at = start + i * interval;
      Aggregate one = Aggregate.of(20 + Math.sin(i / 1e4), at);
      minutes.merge(Resolution.MINUTE.start((long) at), one, Aggregate::plus);
      if ((i + 1) % VALUES_IN_A_WRITE == 0) {
        aggregates
            .add(
                new Additions(
                    Collections.nCopies(AggregateStore.PARTS, (long) i),
                    Set.of(),
                    Map.of(SERIES, minutes)))
            .join();
        minutes.clear();
      }
    }
  }

  private static void measure(
      MirrorInMemory mirror, SqliteStore store, EndpointView view, long from, String bucket) {
    Caller caller =
        Caller.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), true);
    HistoryQuery query =
        new HistoryQuery(Long.toString(from), null, bucket, null, null, HistoryQuery.OLDEST);
    for (int i = 0; i < ROUNDS; i++) {
      HistoryReader reader =
          new HistoryReader(
              mirror.mirror().queries(),
              new Stored(store.aggregates()),
              new ArchiveReadLimiter(mirror));
      long began = System.nanoTime();
      HistoryJson answer = reader.read(caller, view, "temp", query);
      double millis = (System.nanoTime() - began) / 1e6;
      List<TimeBuckets.SeriesJson> series = answer.series() == null ? List.of() : answer.series();
      print(
          "buckets of %s: %.1f ms, %d from each %s",
          bucket, millis, series.getFirst().buckets().size(), answer.resolution());
    }
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  /** Only what is in the store. */
  private record Stored(AggregateStore store) implements AggregatedNumbers {
    @Override
    public Optional<Instant> since(EndpointName endpoint, String path) {
      return store.oldest(endpoint, path).stream().mapToObj(Instant::ofEpochSecond).findAny();
    }

    @Override
    public List<Entry> read(
        EndpointName endpoint, String path, Resolution resolution, long from, long to, int limit) {
      return store.read(endpoint, path, resolution, from, to, limit);
    }
  }
}
