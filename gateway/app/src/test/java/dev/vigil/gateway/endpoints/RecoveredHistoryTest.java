package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.endpoints.HistoryJson.ValueJson;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.model.Recovery;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.signed.senml.SenmlValue;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recovered readings among the signed values of a history. */
class RecoveredHistoryTest {
  private static final String MOTE = "fd00::202:2:2:2";
  private static final Duration WAKE = Duration.ofMinutes(1);

  @TempDir private Path folder = Path.of("");

  private final SleepyEndpoint endpoint = new SleepyEndpoint("mote-1");
  private MirrorInMemory mirror;
  private HistoryReader reader;
  private String id = "";

  /** Numbers 2 to 4 are signed, 5 to 7 recovered, 8 to 10 signed, a minute each. */
  @BeforeEach
  void fill() {
    mirror = new MirrorInMemory(folder, WAKE);
    reader =
        new HistoryReader(
            mirror.mirror().queries(), new NoAggregates(), new ArchiveReadLimiter(mirror));
    id = mirror.registered(endpoint, "</temp>;rt=\"temperature\"");
    List<RecoveredValue> recovered = new ArrayList<>();
    for (int seq = 2; seq <= 10; seq++) {
      mirror.forward(WAKE);
      if (seq >= 5 && seq <= 7) {
        recovered.add(recovered(seq, mirror.instant()));
      } else {
        mirror.put(id, "temp", endpoint.update("temp", seq, seq));
      }
    }
    mirror
        .mirror()
        .recovery()
        .add(id, new Recovery(MOTE, mirror.instant()), Map.of("temp", recovered))
        .join();
  }

  private static RecoveredValue recovered(int seq, Instant measured) {
    return new RecoveredValue(
        "mote-1/temp", "Cel", BigDecimal.valueOf(seq), measured, seq, MOTE, 1);
  }

  private HistoryJson read(
      @Nullable String bucket, @Nullable Long after, @Nullable Integer limit, String order) {
    Caller caller =
        Caller.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), true);
    EndpointView view = mirror.mirror().queries().endpoint(id).orElseThrow();
    return reader.read(
        caller, view, "temp", new HistoryQuery(null, null, bucket, after, limit, order));
  }

  private static List<Long> numbers(HistoryJson page) {
    return values(page).stream().map(ValueJson::seq).toList();
  }

  private static List<ValueJson> values(HistoryJson page) {
    return page.values() == null ? List.of() : page.values();
  }

  private static List<Long> range(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(Long::valueOf).toList();
  }

  @Test
  void recoveredValuesAreInTimeOrderAndMarked() {
    List<ValueJson> all = values(read(null, null, null, HistoryQuery.OLDEST));
    assertThat(all.stream().map(ValueJson::seq)).isEqualTo(range(2, 10));
    assertThat(all.stream().map(ValueJson::provenance))
        .containsExactly(
            "signed",
            "signed",
            "signed",
            "recovered",
            "recovered",
            "recovered",
            "signed",
            "signed",
            "signed");
    assertThat(all.get(3).value()).isEqualTo(5.0);
    assertThat(all.get(3).arrivedAt()).isEqualTo(mirror.instant());
    assertThat(all.get(3).measuredAt()).isBefore(all.get(4).measuredAt());
  }

  @Test
  void theNewestFirstOrderIsTheReverse() {
    assertThat(numbers(read(null, null, null, HistoryQuery.NEWEST)))
        .isEqualTo(range(2, 10).reversed());
  }

  /** Every page size, so that pages end before, in and behind the recovered values. */
  @Test
  void pagesHaveEachValueOnceInBothOrders() {
    for (String order : List.of(HistoryQuery.OLDEST, HistoryQuery.NEWEST)) {
      for (int limit = 1; limit <= 7; limit++) {
        List<Long> numbers = new ArrayList<>();
        Long after = null;
        do {
          HistoryJson page = read(null, after, limit, order);
          numbers.addAll(numbers(page));
          after = page.next();
        } while (after != null);
        List<Long> expected =
            order.equals(HistoryQuery.OLDEST) ? range(2, 10) : range(2, 10).reversed();
        assertThat(numbers).as(order + " by " + limit).isEqualTo(expected);
      }
    }
  }

  @Test
  void bucketsCountRecoveredValuesSeparately() {
    List<TimeBuckets.SeriesJson> series = read("1h", null, null, HistoryQuery.OLDEST).series();
    assertThat(series).hasSize(1);
    List<TimeBuckets.BucketJson> buckets = series == null ? List.of() : series.getFirst().buckets();
    assertThat(buckets).hasSize(1);
    assertThat(buckets.getFirst().count()).isEqualTo(9);
    assertThat(buckets.getFirst().recovered()).isEqualTo(3);
    assertThat(buckets.getFirst().mean()).isEqualTo(6);
  }

  @Test
  void thePresentValueAndItsNumberStaySigned() {
    assertThat(mirror.mirror().queries().lastMeasurements(id, "temp").getFirst().value())
        .isEqualTo(new SenmlValue.Number(10));
    assertThat(mirror.mirror().queries().endpoint(id).orElseThrow().high()).isEqualTo(10);
    assertThat(mirror.mirror().queries().archivedValues(id, "temp", 0, 100)).hasSize(6);
  }
}
