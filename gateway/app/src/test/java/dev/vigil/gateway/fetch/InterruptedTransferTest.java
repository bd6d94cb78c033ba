package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.mirror.model.StoreSlots;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers of readings that end early, meet damage or have several files. */
class InterruptedTransferTest extends AbsentGateway {
  InterruptedTransferTest(@TempDir Path folder) {
    super(folder);
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
    GapFiller.Outcome outcome = filler.fill(id, StoringMote.ADDRESS);
    assertThat(outcome.refusal()).hasMessageContaining("keeps no readings");
    assertThat(outcome.readings()).isEqualTo(SENSORS.length * 12);
    assertThat(recovered(SENSORS[0])).hasSize(12);
    mote.answer(0);
    assertThat(fill())
        .as("the other file is not asked again")
        .isEqualTo(new GapFiller.Outcome(2, 0, new TreeSet<>(), false, null));
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

  @Test
  void aBlockThatALaterGapTookFirstIsCountedOnce() {
    Map<String, Integer> counted = countedByDefault();
    beAway(359);
    beAway(359);
    long firstOfSecondGap = 147;
    assertThatThrownBy(() -> fill(fillerThatLoses(firstOfSecondGap, 1)))
        .hasMessageContaining("not all blocks");
    fill();
    assertThat(counted).isEqualTo(Map.of("recovered/temp", 718, "recovered/load", 718));
    assertThat(fill().gaps()).isZero();
  }

  @Test
  void aGapThatIsFilledAfterALaterOneCountsEachReadingOnce() {
    Map<String, Integer> counted = countedByDefault();
    beAway(359);
    beAway(359);
    AtomicBoolean isBusy = new AtomicBoolean(true);
    GapFiller filler =
        filler(
            (store, from, to, first) -> {
              if (isBusy.getAndSet(false)) {
                throw new ProblemException(ProblemType.CONFLICT, store + " is being asked already");
              }
              return mote.readings().fetch(store, from, to, first);
            });
    assertThatThrownBy(() -> fill(filler)).hasMessageContaining("being asked already");
    fill();
    assertThat(counted).isEqualTo(Map.of("recovered/temp", 718, "recovered/load", 718));
  }

  /** A later gap begins while the earlier one is searched to its end but not yet filled. */
  @Test
  void blocksAfterTheEndOfAnIncompleteSearchAreTaken() {
    beAway(10);
    assertThatThrownBy(() -> fill(fillerThatLoses(3))).hasMessageContaining("not all blocks");
    beAway(10);
    assertThatThrownBy(() -> fill(fillerThatLoses(3))).hasMessageContaining("not all blocks");
    beAway(10);
    fill();
    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
    assertThat(everyNumber("load")).isEqualTo(everySecondNumber(3, seq));
  }

  private GapFiller fillerThatLoses(long block) {
    return fillerThatLoses(block, Integer.MAX_VALUE);
  }

  /** Loses a block as often as given. */
  private GapFiller fillerThatLoses(long block, int times) {
    AtomicInteger left = new AtomicInteger(times);
    return filler(
        (store, from, to, first) -> {
          StoredReadings.Page page = mote.readings().fetch(store, from, to, first);
          boolean isLost =
              page.items().stream().anyMatch(item -> item.block() == block)
                  && left.getAndDecrement() > 0;
          return new StoredReadings.Page(
              page.items().stream().filter(item -> !isLost || item.block() != block).toList(),
              page.corrupted(),
              new TreeSet<>(isLost ? Set.of(block) : Set.of()),
              page.next());
        });
  }

  private GapFiller filler(GapFiller.BlockStore blockStore) {
    return new GapFiller(
        blockStore,
        mote.readings()::stores,
        gateway.mirror().queries(),
        gateway.mirror().recovery());
  }

  @Test
  void aDamagedBlockAloneInItsBurstIsNamedAndTheGapIsFilled() {
    beAway(78);
    mote.damage(33, 33);
    GapFiller.Outcome outcome = fill();
    assertThat(outcome.lost()).containsExactly(33L);
    assertThat(outcome.readings()).isEqualTo(SENSORS.length * 77);
    assertThat(fill().gaps()).isZero();
  }

  @Test
  void aWrongKeyKeepsTheGapOpenAlthoughBlocksWereOpenedBefore() {
    beAway(5);
    fill();
    beAway(20);
    mote.damage(1, Long.MAX_VALUE);
    assertThatThrownBy(this::fill).hasMessageContaining("does not have the key");
    mote.damage(0, 0);
    assertThat(fill().readings()).isEqualTo(SENSORS.length * 20);
  }

  @Test
  void anInterruptedTransferNamesDamageAndCountsItsReadings() {
    beAway(200);
    mote.damage(7, 7);
    int requestsOfFirstBurst = 6;
    mote.answer(requestsOfFirstBurst);
    GapFiller.Outcome outcome = filler().fill(id, StoringMote.ADDRESS);
    assertThat(outcome.refusal()).hasMessageContaining("does not answer");
    assertThat(outcome.lost()).containsExactly(7L);
    assertThat(outcome.readings()).isEqualTo(recovered("temp").size() + recovered("load").size());
    assertThat(outcome.readings()).isPositive();
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
