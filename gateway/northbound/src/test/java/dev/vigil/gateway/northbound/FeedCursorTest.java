package dev.vigil.gateway.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.contract.StoreTesting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class FeedCursorTest {
  private static final EndpointName MOTE = new EndpointName("mote", "");
  private static final EndpointName OTHER = new EndpointName("other", "");

  private final SettableClock clock = new SettableClock();
  private final MemoryStore store = new MemoryStore();
  private final RecordingDestination destination = new RecordingDestination(false);
  private FeedCursor cursor = open(destination);

  private FeedCursor open(Destination of) {
    Records records = new Records(store, clock);
    FeedCursor opened =
        new FeedCursor(
            of,
            store,
            records.of("northbound-cursor", StoredCursor.class),
            () -> clock.millis() * 1_000_000);
    List<Change> stored = StoreTesting.feed(store, 0);
    opened.open(stored.isEmpty() ? 0 : stored.getLast().position());
    return opened;
  }

  /** Simulates a start after a stop (saved) or after a crash (not saved). */
  private void restart(boolean save) {
    if (save) {
      cursor.save().join();
    }
    cursor.close();
    cursor = open(destination);
  }

  private void measure(EndpointName name, int keep, int first, int last) {
    IntStream.rangeClosed(first, last)
        .forEach(
            i ->
                StoreTesting.committed(
                    store,
                    StoreTesting.plain(
                        name, StoreTesting.fact(RecordingDestination.SLOT, keep, "v" + i))));
  }

  private static List<String> values(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(i -> "v" + i).toList();
  }

  /** Delivers until nothing is left. */
  private void deliverAll() throws IOException, InterruptedException {
    while (cursor.state().hasWork()) {
      List<Change> page = cursor.next(0);
      long unreported = cursor.unreported();
      destination.reportLost(unreported);
      cursor.reported(unreported);
      destination.deliver(page, cursor::delivered);
    }
  }

  @Test
  void everyReadingComesOnceInTheOrderOfTheFeed() throws Exception {
    measure(MOTE, 1000, 1, 200);
    StoreTesting.committed(store, StoreTesting.plain(OTHER, StoreTesting.fact("life", 1, "x")));
    deliverAll();
    assertThat(destination.taken).isEqualTo(values(1, 200));
    assertThat(cursor.state().waiting()).isZero();
    assertThat(cursor.state().lost()).isZero();
  }

  @Test
  void aFailedDeliveryIsRepeatedFromTheFirstUnacknowledged() throws Exception {
    measure(MOTE, 1000, 1, 5);
    List<Change> page = cursor.next(0);
    destination.deliver(page.subList(0, 2), cursor::delivered);
    assertThat(cursor.state().waiting()).isEqualTo(3);
    deliverAll();
    assertThat(destination.taken).isEqualTo(values(1, 5));
  }

  @Test
  void aRestartContinuesWhereTheDestinationWas() throws Exception {
    measure(MOTE, 1000, 1, 3);
    deliverAll();
    restart(true);
    measure(MOTE, 1000, 4, 6);
    deliverAll();
    assertThat(destination.taken).isEqualTo(values(1, 6));
  }

  @Test
  void aCrashRepeatsWhatWasNotStoredAndLosesNothing() throws Exception {
    measure(MOTE, 1000, 1, 3);
    deliverAll();
    cursor.save().join();
    measure(MOTE, 1000, 4, 6);
    deliverAll();
    restart(false);
    deliverAll();
    assertThat(destination.taken.subList(0, 6)).isEqualTo(values(1, 6));
    assertThat(destination.taken.subList(6, 9)).isEqualTo(values(4, 6));
    assertThat(cursor.state().lost()).isZero();
  }

  @Test
  void readingsThatRetentionRemovedAreCountedAndReported() throws Exception {
    measure(MOTE, 10, 1, 300);
    measure(OTHER, 10, 301, 305);
    deliverAll();
    List<String> kept = new java.util.ArrayList<>(values(291, 305));
    assertThat(destination.taken).isEqualTo(kept);
    assertThat(destination.lost).isEqualTo(290);
    assertThat(cursor.state().lost()).isEqualTo(290);
    assertThat(cursor.state().waiting()).isZero();
  }

  @Test
  void aRestartDoesNotForgetWhatRetentionRemoved() throws Exception {
    measure(MOTE, 10, 1, 50);
    restart(true);
    measure(MOTE, 10, 51, 60);
    restart(true);
    deliverAll();
    assertThat(destination.taken).isEqualTo(values(51, 60));
    assertThat(destination.lost).isEqualTo(50);
    restart(true);
    deliverAll();
    assertThat(destination.lost).as("it is reported once").isEqualTo(50);
    assertThat(cursor.state().lost()).isEqualTo(50);
  }

  @Test
  void aNewDestinationBeginsNowUnlessItAsksForMore() throws Exception {
    measure(MOTE, 10, 1, 5);
    RecordingDestination late = new RecordingDestination(false);
    Destination renamed = named(late, "test:late");
    FeedCursor fromNow = open(renamed);
    assertThat(fromNow.next(0)).isEmpty();
    FeedCursor fromTheStart = open(named(new RecordingDestination(true), "test:all"));
    assertThat(fromTheStart.next(0)).hasSize(5);
  }

  private static Destination named(RecordingDestination inner, String name) {
    return (Destination)
        java.lang.reflect.Proxy.newProxyInstance(
            FeedCursorTest.class.getClassLoader(),
            new Class<?>[] {Destination.class},
            (proxy, method, args) ->
                method.getName().equals("name") ? name : method.invoke(inner, args));
  }

  @Test
  void theCursorIsStoredAtMostOnceASecond() throws Exception {
    long before = newest();
    for (int i = 1; i <= 20; i++) {
      measure(MOTE, 1000, i, i);
      deliverAll();
    }
    assertThat(newest() - before).as("changes in addition to the 20 readings").isBetween(20L, 21L);
    clock.pass(Duration.ofSeconds(1));
    cursor.next(0);
    assertThat(newest() - before).isBetween(21L, 22L);
  }

  private long newest() {
    return StoreTesting.feed(store, 0).getLast().position();
  }

  @Test
  void anotherGatewayContinuesWhereThisOneEnded() throws Exception {
    measure(MOTE, 1000, 1, 3);
    deliverAll();
    DeliveryLoop loop = new DeliveryLoop(destination, cursor, clock, new Random(1));
    loop.suspend();
    assertThat(cursor.next(0)).as("a suspended cursor delivers nothing").isEmpty();
    measure(MOTE, 1000, 4, 6);
    cursor = open(destination);
    deliverAll();
    assertThat(destination.taken).isEqualTo(values(1, 6));
  }

  @Test
  void aGatewayThatIsLateDoesNotMoveTheCursorBack() throws Exception {
    measure(MOTE, 1000, 1, 3);
    FeedCursor late = cursor;
    cursor = open(destination);
    deliverAll();
    cursor.save().join();
    long position = cursor.state().position();
    Change first = StoreTesting.feed(store, 0).getFirst();
    late.save().join();
    assertThatThrownBy(() -> late.delivered(first)).isInstanceOf(IllegalStateException.class);
    assertThat(open(destination).state().position()).isEqualTo(position);
  }

  @Test
  void aGatewayThatMayDeliverBeginsAgainWhenTheOtherOneStoredItsCursorLate() throws Exception {
    FeedCursor late = cursor;
    cursor = open(destination);
    measure(MOTE, 1000, 1, 3);
    late.save().join();
    cursor.save().join();
    assertThat(cursor.isOpen()).isFalse();
    assertThat(cursor.awaitOpen(0)).isTrue();
    deliverAll();
    cursor.save().join();
    assertThat(destination.taken).isEqualTo(values(1, 3));
    assertThat(open(destination).state().position()).isEqualTo(cursor.state().position());
  }

  @Test
  void aDestinationThatWasAwayGetsEverythingOnceItIsBack() throws Exception {
    destination.failures = 1;
    destination.awaited = new CountDownLatch(20);
    DeliveryLoop loop = new DeliveryLoop(destination, cursor, clock, new Random(1));
    measure(MOTE, 1000, 1, 20);
    Thread thread = Thread.ofVirtual().start(loop);
    assertThat(destination.awaited.await(20, TimeUnit.SECONDS)).isTrue();
    loop.stop(thread);
    assertThat(destination.taken).isEqualTo(values(1, 20));
    assertThat(loop.failed()).isEqualTo(1);
    assertThat(loop.delivered()).isEqualTo(20);
    assertThat(loop.state().failedAt()).isNotNull();
  }

  @Test
  void aCursorThatAnEarlierVersionStoredIsRead() {
    String stored =
        "{\"position\":9,\"counted\":12,\"last\":11,\"waiting\":2,\"lost\":5,\"told\":3}";
    StoredCursor read = JsonMapper.shared().readValue(stored, StoredCursor.class);
    assertThat(read).isEqualTo(new StoredCursor(9, 12, 11, 2, 5, 3));
  }
}
