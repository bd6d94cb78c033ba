package dev.vigil.store.contract;

import static dev.vigil.store.contract.StoreTesting.NOON;
import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link Store} for facts whose slot keeps older facts. */
public abstract class OlderFactsContract extends StoreTestBase {
  private static final int KEEP = 20;
  private static final Duration APART = Duration.ofMinutes(10);

  protected abstract OlderFacts older(Store opened);

  private static List<String> bodies(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> "v" + i).toList();
  }

  private static Batch at(EndpointName name, int number, String slot) {
    return new Batch(
        name,
        arrival(number),
        OptionalLong.of(number),
        OptionalLong.empty(),
        List.of(lasting(slot, KEEP, "v" + number)));
  }

  /** The arrival of a numbered fact. */
  protected static Instant arrival(int number) {
    return NOON.plus(APART.multipliedBy(number));
  }

  /** Commits facts with those numbers, {@link #arrival} apart. */
  protected void fill(EndpointName name, int from, int to) {
    IntStream.rangeClosed(from, to)
        .mapToObj(number -> store.submit(at(name, number, "v")))
        .toList()
        .forEach(outcome -> outcome.join());
  }

  private List<Long> paged(int size) {
    List<Long> numbers = new ArrayList<>();
    List<Store.HistoryEntry> page;
    do {
      page = store.history(MOTE, "v", numbers.isEmpty() ? -1 : numbers.getLast(), size);
      page.forEach(entry -> numbers.add(entry.sequence()));
    } while (page.size() == size);
    return numbers;
  }

  private List<Long> pagedBack(int size) {
    List<Long> numbers = new ArrayList<>();
    List<Store.HistoryEntry> page;
    do {
      long before = numbers.isEmpty() ? Long.MAX_VALUE : numbers.getLast();
      page = store.historyBack(MOTE, "v", before, size);
      page.forEach(entry -> numbers.add(entry.sequence()));
    } while (page.size() == size);
    return numbers;
  }

  @Test
  void olderFactsStayInTheHistory() {
    for (int last = 3000; last <= 9000; last += 3000) {
      fill(MOTE, last - 2999, last);
      List<Long> all = LongStream.rangeClosed(1, last).boxed().toList();
      // Small pages of a long history are many.
      for (int size : last == 3000 ? new int[] {1000, 97, 7} : new int[] {1000, 97}) {
        assertThat(paged(size)).isEqualTo(all);
        assertThat(pagedBack(size)).isEqualTo(all.reversed());
      }
      reopen();
      assertThat(paged(1000)).isEqualTo(all);
    }
  }

  @Test
  void olderFactsHavePositionTimeAndBody() {
    fill(MOTE, 1, 200);
    reopen();
    assertThat(store.history(MOTE, "v", 41, 1))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.position()).isEqualTo(42);
              assertThat(entry.sequence()).isEqualTo(42);
              assertThat(entry.at()).isEqualTo(arrival(42));
              assertThat(entry.body()).asString().isEqualTo("v42");
            });
  }

  @Test
  void olderFactsLeaveTheFeed() {
    fill(MOTE, 1, 300);
    for (int i = 0; i < 2; i++) {
      assertThat(feed(store, 0)).hasSizeBetween(KEEP * 3 / 4, KEEP);
      assertThat(feed(store, 0).getLast().facts())
          .singleElement()
          .satisfies(
              fact -> {
                assertThat(fact.keepsOlder()).isTrue();
                assertThat(fact.keep()).isEqualTo(KEEP);
              });
      reopen();
    }
  }

  @Test
  void slotsAreApart() {
    EndpointName other = mote("other");
    for (int number = 1; number <= 200; number += 2) {
      committed(store, at(MOTE, number, "v"));
      committed(store, at(other, number, "v"));
      committed(store, at(other, number + 1, "w"));
      if (number == 99) {
        committed(store, plain(other, Fact.none("w")));
        reopen();
      }
    }
    List<String> odd = IntStream.range(0, 100).mapToObj(i -> "v" + (2 * i + 1)).toList();
    assertThat(history(store, MOTE, "v")).isEqualTo(odd);
    assertThat(history(store, other, "v")).isEqualTo(odd);
    assertThat(history(store, other, "w"))
        .isEqualTo(IntStream.rangeClosed(51, 100).mapToObj(i -> "v" + 2 * i).toList());
  }

  @Test
  void clearingASlotRemovesItsOlderFacts() {
    fill(MOTE, 1, 3000);
    committed(store, plain(MOTE, Fact.none("v")));
    assertThat(history(store, MOTE, "v")).isEmpty();
    assertThat(store.historyBack(MOTE, "v", Long.MAX_VALUE, 10)).isEmpty();
    fill(MOTE, 3001, 3100);
    for (int i = 0; i < 2; i++) {
      assertThat(history(store, MOTE, "v")).isEqualTo(bodies(3001, 3100));
      reopen();
    }
  }

  @Test
  void aFactThatKeepsNoOlderOnesRemovesThem() {
    fill(MOTE, 1, 200);
    committed(store, numbered(MOTE, 201, fact("v", 5, "v201")));
    for (int i = 0; i < 2; i++) {
      assertThat(history(store, MOTE, "v")).isEqualTo(bodies(197, 201));
      reopen();
    }
    fill(MOTE, 202, 300);
    reopen();
    assertThat(history(store, MOTE, "v")).isEqualTo(bodies(197, 300));
  }

  @Test
  void factsWithoutANumberDoNotStay() {
    for (int i = 0; i < 100; i++) {
      committed(store, plain(MOTE, lasting("v", KEEP, "v" + i)));
    }
    reopen();
    assertThat(history(store, MOTE, "v")).hasSizeBetween(KEEP * 3 / 4, KEEP);
  }

  @Test
  void aReaderCanSkipFactsThatArrivedEarlier() {
    fill(MOTE, 1, 3000);
    reopen();
    for (int number : new int[] {1, 500, 2500, 3000}) {
      assertThat(store.lastBefore(MOTE, "v", arrival(number))).isBetween(0L, number - 1L);
    }
    assertThat(store.lastBefore(mote("nobody"), "v", NOON)).isZero();
  }

  private OlderFacts.Removed expire(Function<EndpointName, Instant> oldest) {
    OlderFacts.Removed removed;
    long facts = 0;
    do {
      removed = older(store).expire(oldest).join();
      facts += removed.facts();
    } while (!removed.complete());
    return new OlderFacts.Removed(facts, true);
  }

  @Test
  void olderFactsGoByAge() {
    EndpointName other = mote("other");
    fill(MOTE, 1, 3000);
    fill(other, 1, 3000);
    reopen();
    Instant oldest = arrival(2000);
    OlderFacts.Removed removed =
        expire(name -> name.equals(MOTE) ? oldest : oldest.minus(Duration.ofDays(30)));
    List<String> left = history(store, MOTE, "v");
    int first = 3001 - left.size();
    assertThat(left).isEqualTo(bodies(first, 3000));
    assertThat(arrival(first)).isBetween(oldest.minus(Duration.ofDays(1)), oldest);
    assertThat(history(store, other, "v").size() + left.size()).isEqualTo(6000 - removed.facts());
    assertThat(history(store, other, "v")).hasSizeGreaterThan(left.size());
    assertThat(expire(name -> Instant.MAX).facts()).isPositive();
    assertThat(history(store, MOTE, "v")).as("the newest stay").hasSizeBetween(15, KEEP);
  }

  @Test
  void theOldestFactsOfTheGreediestEndpointGoFirst() {
    EndpointName modest = mote("modest");
    fill(MOTE, 1, 4000);
    fill(modest, 1, 2000);
    reopen();
    long before = older(store).octets();
    while (older(store).octets() > before * 3 / 4) {
      assertThat(older(store).shrink().join().facts()).isPositive();
    }
    List<String> left = history(store, MOTE, "v");
    assertThat(left).isEqualTo(bodies(4001 - left.size(), 4000)).hasSizeGreaterThan(1500);
    assertThat(history(store, modest, "v")).isEqualTo(bodies(1, 2000));
    reopen();
    assertThat(history(store, MOTE, "v")).isEqualTo(left);
    while (!older(store).shrink().join().complete()) {
      assertThat(older(store).octets()).isNotNegative();
    }
    assertThat(older(store).octets()).isZero();
    assertThat(history(store, modest, "v")).hasSizeBetween(15, KEEP);
  }

  @Test
  void impossibleFactsAreRefused() {
    assertThatThrownBy(() -> lasting("v", Fact.KEEP_ALL, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> lasting("v", 1, "")).isInstanceOf(IllegalArgumentException.class);
  }
}
