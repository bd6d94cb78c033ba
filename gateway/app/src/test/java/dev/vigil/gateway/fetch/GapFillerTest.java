package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An absence of the gateway: readings move from the mote's block store to the mirror's history. */
class GapFillerTest {
  private static final Duration WAKE = Duration.ofSeconds(10);
  private static final Duration DAY = Duration.ofDays(1);
  private static final int WAKE_UPS = (int) DAY.dividedBy(WAKE) - 1;
  private static final String[] SENSORS = {"temp", "load"};
  private static final String LINKS = "</temp>;rt=\"temperature\",</load>;rt=\"load\"";

  private final SleepyEndpoint endpoint = new SleepyEndpoint("mote-1");
  private final StoringMote mote = new StoringMote(SENSORS);
  private final Path folder;
  private MirrorInMemory gateway;
  private String id;
  private long seq = 1;

  GapFillerTest(@TempDir Path folder) {
    this.folder = folder;
    gateway = new MirrorInMemory(folder, WAKE);
    id = gateway.registered(endpoint, LINKS);
    for (int i = 0; i < 3; i++) {
      wakeUp(true);
    }
  }

  /**
   * Another gateway in a domain with the default history, and what its followers of the feed see.
   */
  private Map<String, Integer> countedByDefault() {
    gateway = new MirrorInMemory(folder, WAKE, 0);
    gateway.forward(DAY);
    id = gateway.registered(endpoint, LINKS);
    Map<String, Integer> counted = new HashMap<>();
    gateway
        .store()
        .changes(
            0,
            change ->
                change.facts().stream()
                    .filter(fact -> fact.slot().startsWith(StoreSlots.RECOVERED))
                    .forEach(fact -> counted.merge(fact.slot(), 1, Integer::sum)));
    wakeUp(true);
    return counted;
  }

  /** The mote stores each reading, and sends the readings that it can. */
  private void wakeUp(boolean reachesGateway) {
    gateway.forward(WAKE);
    for (int sensor = 0; sensor < SENSORS.length; sensor++) {
      seq++;
      mote.store(sensor, (int) (seq % 1000), gateway.instant().getEpochSecond(), seq & 0xffff);
      if (reachesGateway) {
        String update = endpoint.update(SENSORS[sensor], seq, seq % 1000 / 10.0);
        gateway.put(id, SENSORS[sensor], update);
      }
    }
  }

  private void beAway(int wakeUps) {
    for (int i = 0; i < wakeUps; i++) {
      wakeUp(false);
    }
    wakeUp(true);
  }

  private GapFiller filler() {
    return new GapFiller(
        mote.readings()::fetch,
        mote.readings()::stores,
        gateway.mirror().queries(),
        gateway.mirror().recovery());
  }

  private GapFiller.Outcome fill() {
    return fill(filler());
  }

  /** All turns of an endpoint. */
  private GapFiller.Outcome fill(GapFiller filler) {
    GapFiller.Outcome turn = filler.fill(id, StoringMote.ADDRESS);
    int gaps = turn.gaps();
    int readings = turn.readings();
    while (turn.more()) {
      turn = filler.fill(id, StoringMote.ADDRESS);
      readings += turn.readings();
    }
    return new GapFiller.Outcome(gaps, readings, turn.lost(), false);
  }

  private List<RecoveredValue> recovered(String path) {
    return gateway.mirror().queries().recoveredValues(id, path).stream()
        .map(Recovered::value)
        .toList();
  }

  /** The numbers of everything that the mirror has of a resource, signed and recovered. */
  private List<Long> everyNumber(String path) {
    List<Long> numbers = new ArrayList<>();
    gateway
        .mirror()
        .queries()
        .archivedValues(id, path, 0, 20_000)
        .forEach(v -> numbers.add(v.seq()));
    recovered(path).forEach(value -> numbers.add(value.seq()));
    numbers.sort(Long::compare);
    return numbers;
  }

  private static List<Long> everySecondNumber(long first, long last) {
    List<Long> numbers = new ArrayList<>();
    for (long number = first; number <= last; number += SENSORS.length) {
      numbers.add(number);
    }
    return numbers;
  }

  @Test
  void aDaysOutageIsBackfilledCompletely() {
    Instant before = gateway.instant();
    beAway(WAKE_UPS);

    GapFiller.Outcome outcome = fill();

    assertThat(outcome.readings()).isEqualTo(SENSORS.length * WAKE_UPS);
    assertThat(outcome.lost()).isEmpty();
    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
    assertThat(everyNumber("load")).isEqualTo(everySecondNumber(3, seq));
    List<RecoveredValue> temps = recovered("temp");
    assertThat(temps).hasSize(WAKE_UPS);
    for (int i = 0; i < WAKE_UPS; i++) {
      RecoveredValue one = temps.get(i);
      assertThat(one.measured()).isEqualTo(before.plus(WAKE.multipliedBy(i + 1)));
      assertThat(one.value().doubleValue()).isEqualTo(one.seq() % 1000 / 10.0);
      assertThat(one.name()).isEqualTo("mote-1/temp");
      assertThat(one.unit()).isEqualTo("Cel");
      assertThat(one.mote()).isEqualTo(StoringMote.ADDRESS.toString());
    }
  }

  @Test
  void recoveredReadingsSurviveARestartAndAreNotFetchedAgain() {
    beAway(50);
    assertThat(fill().readings()).isEqualTo(100);
    List<RecoveredValue> temps = recovered("temp");

    gateway.restart();

    assertThat(recovered("temp")).isEqualTo(temps);
    mote.answer(0);
    assertThat(fill()).isEqualTo(new GapFiller.Outcome(0, 0, new TreeSet<>(), false));
  }

  @Test
  void anInterruptedTransferContinuesWithoutRepeatingReadings() {
    beAway(WAKE_UPS);
    mote.answer(9);
    assertThatThrownBy(this::fill)
        .isInstanceOf(ErrorResponseException.class)
        .hasMessageContaining("does not answer");
    assertThat(recovered("temp")).isNotEmpty().hasSizeLessThan(WAKE_UPS);

    gateway.restart();
    mote.answer(Integer.MAX_VALUE);
    fill();

    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
    assertThat(everyNumber("load")).isEqualTo(everySecondNumber(3, seq));
  }

  @Test
  void readingsWithoutAnUpdateAreRecoveredToo() {
    Instant silent = gateway.instant().plus(WAKE);
    for (int i = 0; i < 20; i++) {
      gateway.forward(WAKE);
      mote.store(0, i, gateway.instant().getEpochSecond(), 0);
    }
    wakeUp(true);
    assertThat(fill().readings()).isEqualTo(20);
    assertThat(recovered("temp").getFirst().measured()).isEqualTo(silent);
    assertThat(recovered("temp")).allSatisfy(value -> assertThat(value.seq()).isZero());
  }

  @Test
  void eachOfTwoOutagesIsFilled() {
    beAway(5);
    wakeUp(true);
    beAway(7);
    assertThat(fill()).isEqualTo(new GapFiller.Outcome(2, 24, new TreeSet<>(), false));
    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
  }

  @Test
  void aSteadySeriesHasNoGap() {
    for (int i = 0; i < 5; i++) {
      wakeUp(true);
    }
    mote.answer(0);
    assertThat(fill().gaps()).isZero();
  }

  /** After a restoration the numbers jump, and so do the low octets that the block store keeps. */
  @Test
  void aJumpOfNumbersRepeatsNoReading() {
    for (int i = 0; i < 3; i++) {
      wakeUp(false);
    }
    seq += (1L << 28) + 1000;
    gateway.registered(endpoint, LINKS, seq);
    wakeUp(true);

    assertThat(fill().readings()).isEqualTo(SENSORS.length * 3);
  }

  @Test
  void aReadingWhoseUpdateIsOnItsWayIsLeftOut() {
    beAway(5);
    mote.store(1, 1, gateway.instant().getEpochSecond(), seq + 1);
    fill();
    assertThat(everyNumber("load")).isEqualTo(everySecondNumber(3, seq));
  }

  @Test
  void aBlockStoreBelongsToOneEndpoint() {
    beAway(5);
    fill();
    SleepyEndpoint other = new SleepyEndpoint("mote-2");
    String otherId = gateway.registered(other, LINKS);
    gateway.put(otherId, "temp", other.update("temp", 2, 1));
    gateway.forward(DAY);
    gateway.put(otherId, "temp", other.update("temp", 3, 1));
    assertThatThrownBy(() -> filler().fill(otherId, StoringMote.ADDRESS))
        .hasMessage("the block store belongs to another endpoint");
    assertThat(gateway.mirror().queries().recoveredValues(otherId, "temp")).isEmpty();
  }

  @Test
  void onlyAnAssociationShowsWhichMoteAnEndpointIs() {
    String forged = StoringMote.ADDRESS.toString();
    gateway.put(id, "temp", endpoint.update("temp", seq + 1, 1), forged, false);
    assertThat(Backfill.mote(gateway.mirror().queries(), id)).isEmpty();

    gateway.put(id, "temp", endpoint.update("temp", seq + 2, 1), "fd00::1", true);
    gateway.put(id, "temp", endpoint.update("temp", seq + 3, 1), forged, false);
    assertThat(Backfill.mote(gateway.mirror().queries(), id))
        .contains(new Ipv6Address(0xfdL << 56, 1));
  }

  @Test
  void anOperatorReassignsABlockStore() {
    beAway(5);
    GapFiller filler = filler();
    fill(filler);
    SleepyEndpoint other = new SleepyEndpoint("mote-2");
    String otherId = gateway.registered(other, LINKS);

    gateway.mirror().recovery().reassign(StoringMote.ADDRESS.toString(), otherId, "alice").join();

    assertThat(recovered("temp")).isEmpty();
    assertThat(gateway.mirror().recovery().owner(StoringMote.ADDRESS.toString()))
        .contains(new EndpointName("mote-2", ""));
    assertThat(gateway.mirror().queries().audit("mote-2", "", 0, 100))
        .anySatisfy(entry -> assertThat(entry.action()).contains("got the block store of"));
    beAway(3);
    assertThatThrownBy(() -> fill(filler))
        .hasMessage("the block store belongs to another endpoint");
    gateway.mirror().recovery().reassign(StoringMote.ADDRESS.toString(), id, "alice").join();
    fill(filler);
    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
  }

  @Test
  void aBlockStoreWhoseNextDoesNotIncreaseIsRefused() {
    beAway(200);
    mote.repeatFrom(1);
    assertThatThrownBy(this::fill)
        .isInstanceOf(ErrorResponseException.class)
        .hasMessageContaining("asks to continue at block 1 after block");
  }

  @Test
  void everyFileOfAMoteFillsTheGapsOfItsSensors() {
    StoringMote alarms = new StoringMote(SENSORS);
    for (int i = 0; i < WAKE_UPS; i++) {
      gateway.forward(WAKE);
      seq++;
      (seq % 2 == 0 ? mote : alarms)
          .store(0, (int) (seq % 1000), gateway.instant().getEpochSecond(), seq & 0xffff);
    }
    wakeUp(true);
    assertThat(fill(filler(Map.of("", mote, "alarms", alarms))).readings()).isEqualTo(WAKE_UPS);
    assertThat(everyNumber(SENSORS[0])).doesNotHaveDuplicates();
    assertThat(fill(filler(Map.of("", mote, "alarms", alarms))).gaps()).isZero();
  }

  @Test
  void aFileThatRefusesKeepsTheGapOpenAndTheOthersAreFetched() {
    beAway(10);
    GapFiller filler = filler(Map.of("unknown", mote, "", mote));
    assertThatThrownBy(() -> fill(filler)).isInstanceOf(ErrorResponseException.class);
    assertThat(recovered(SENSORS[0])).hasSize(10);
    assertThat(fill().gaps()).isPositive();
  }

  @Test
  void laterGapsAreFilledWhileAFileRefuses() {
    beAway(5);
    wakeUp(true);
    beAway(7);
    GapFiller filler = filler(Map.of("unknown", mote, "", mote));
    assertThatThrownBy(() -> fill(filler)).hasMessageContaining("keeps no readings");
    assertThat(recovered(SENSORS[0])).hasSize(12);
    mote.answer(0);
    assertThat(fill())
        .as("the other file is not asked again")
        .isEqualTo(new GapFiller.Outcome(2, 0, new TreeSet<>(), false));
  }

  @Test
  void anInterruptedTransferCountsEachReadingOnce() {
    Map<String, Integer> counted = countedByDefault();
    beAway(1000);
    mote.answer(9);
    assertThatThrownBy(this::fill).hasMessageContaining("does not answer");
    gateway.restart();
    mote.answer(Integer.MAX_VALUE);
    fill();
    assertThat(counted).isEqualTo(Map.of("recovered/temp", 1000, "recovered/load", 1000));
  }

  @Test
  void aBurstWithMoreReadingsThanAreKeptIsCountedCompletely() {
    Map<String, Integer> counted = countedByDefault();
    for (int i = 0; i < 1000; i++) {
      gateway.forward(WAKE);
      mote.store(0, i, gateway.instant().getEpochSecond(), 0);
    }
    wakeUp(true);
    assertThat(fill().readings()).isEqualTo(1000);
    assertThat(counted).isEqualTo(Map.of("recovered/temp", 1000));
  }

  @Test
  void onlyTheBlockThatDidNotArriveIsTakenLater() {
    Map<String, Integer> counted = countedByDefault();
    beAway(1000);
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatThrownBy(() -> fill(fillerThatLoses(40))).hasMessageContaining("not all blocks");
    }
    assertThat(counted).isEqualTo(Map.of("recovered/temp", 1000 - 2, "recovered/load", 1000 - 3));
    fill();
    assertThat(counted).isEqualTo(Map.of("recovered/temp", 1000, "recovered/load", 1000));
    assertThat(fill().gaps()).isZero();
  }

  private GapFiller fillerThatLoses(long block) {
    return new GapFiller(
        (store, from, to, first) -> {
          StoredReadings.Page page = mote.readings().fetch(store, from, to, first);
          List<StoredReadings.Item> others =
              page.items().stream().filter(item -> item.block() != block).toList();
          boolean isLost = others.size() < page.items().size();
          return new StoredReadings.Page(
              others,
              page.corrupted(),
              new TreeSet<>(isLost ? Set.of(block) : Set.of()),
              page.next());
        },
        mote.readings()::stores,
        gateway.mirror().queries(),
        gateway.mirror().recovery());
  }

  @Test
  void aDamagedBlockAloneInItsBurstIsNamedAndTheGapIsFilled() {
    beAway(78);
    mote.damage(33);
    GapFiller.Outcome outcome = fill();
    assertThat(outcome.lost()).containsExactly(33L);
    assertThat(outcome.readings()).isEqualTo(SENSORS.length * 77);
    assertThat(fill().gaps()).isZero();
  }

  /** Asks the block stores of these names, and is refused by those named unknown. */
  private GapFiller filler(Map<String, StoringMote> files) {
    return new GapFiller(
        (store, from, to, first) -> {
          if (store.name().equals("unknown")) {
            throw new ProblemException(ProblemType.BAD_GATEWAY, store + " keeps no readings");
          }
          return Objects.requireNonNull(files.get(store.name()))
              .readings()
              .fetch(BlockStoreId.unnamed(store.mote()), from, to, first);
        },
        address -> files.keySet().stream().map(name -> new BlockStoreId(address, name)).toList(),
        gateway.mirror().queries(),
        gateway.mirror().recovery());
  }

  @Test
  void aLongTransferLetsOtherEndpointsTakeTurns() {
    beAway(WAKE_UPS);
    GapFiller filler = filler();
    GapFiller.Outcome first = filler.fill(id, StoringMote.ADDRESS);
    assertThat(first.more()).isTrue();
    assertThat(first.readings()).isPositive().isLessThan(SENSORS.length * WAKE_UPS);
    assertThat(first.readings() + fill(filler).readings()).isEqualTo(SENSORS.length * WAKE_UPS);
  }

  @Test
  void nothingIsRememberedOfAForgottenEndpoint() {
    beAway(WAKE_UPS);
    GapFiller filler = filler();
    filler.fill(id, StoringMote.ADDRESS);
    filler.forget(id);
    assertThat(filler.size()).isZero();
    fill(filler);
    assertThat(filler.size()).isEqualTo(1);
    filler.forget(id);
    assertThat(filler.size()).isZero();
  }
}
