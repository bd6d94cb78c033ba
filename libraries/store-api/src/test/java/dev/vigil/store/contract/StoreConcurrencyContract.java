package dev.vigil.store.contract;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.feed;
import static dev.vigil.store.contract.StoreTesting.history;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.onVersion;
import static dev.vigil.store.contract.StoreTesting.outcome;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.SubmitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link Store} for many threads; every adapter passes it. */
public abstract class StoreConcurrencyContract extends StoreTestBase {
  private static final int THREADS = 8;

  /** Opens when two followers have begun beside writers. */
  private final CountDownLatch begun = new CountDownLatch(2);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private <T> List<T> race(Callable<T> one) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(
          threads.submit(
              () -> {
                start.await(30, TimeUnit.SECONDS);
                return one.call();
              }));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : running) {
      results.add(future.get(60, TimeUnit.SECONDS));
    }
    return results;
  }

  @Test
  void commitsOneOfEightBatchesWithTheSameNumber() throws Exception {
    for (int round = 1; round <= 50; round++) {
      long number = round;
      List<SubmitResult> outcomes =
          race(
              () ->
                  outcome(
                      store,
                      numbered(MOTE, number, fact("who", 1, Thread.currentThread().getName()))));
      assertThat(outcomes).filteredOn(o -> o instanceof SubmitResult.Committed).hasSize(1);
      assertThat(outcomes)
          .filteredOn(o -> o.equals(new SubmitResult.SequenceUsed(number)))
          .hasSize(THREADS - 1);
    }
    assertThat(store.endpoint(MOTE)).get().extracting(Store.Endpoint::version).isEqualTo(50L);
  }

  @Test
  void commitsOneOfEightBatchesThatCreateAnEndpoint() throws Exception {
    List<SubmitResult> outcomes =
        race(() -> outcome(store, onVersion(MOTE, 0, fact("rd", 1, "a"))));
    assertThat(outcomes).filteredOn(o -> o instanceof SubmitResult.Committed).hasSize(1);
    assertThat(outcomes)
        .filteredOn(o -> o.equals(new SubmitResult.VersionMoved(1)))
        .hasSize(THREADS - 1);
  }

  @Test
  void readDecideAndWriteOnTheVersionLosesNoUpdate() throws Exception {
    committed(store, plain(MOTE, fact("count", 1, "0")));
    race(
        () -> {
          for (int i = 0; i < 10; i++) {
            boolean committed = false;
            while (!committed) {
              long version = store.endpoint(MOTE).orElseThrow().version();
              int count = Integer.parseInt(history(store, MOTE, "count").getFirst());
              committed =
                  outcome(store, onVersion(MOTE, version, fact("count", 1, "" + (count + 1))))
                      instanceof SubmitResult.Committed;
            }
          }
          return true;
        });
    assertThat(history(store, MOTE, "count")).containsExactly("" + 10 * THREADS);
  }

  /** Writers wait halfway, so that they do not end before a slow test has two followers. */
  private void awaitFollowers(int written) throws InterruptedException {
    if (written == 75) {
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Runs something twice at the beginning and after every sixty changes, until the writers end. */
  private Store.Subscription duringWrites(CompletableFuture<Boolean> writers, Runnable begin)
      throws InterruptedException {
    Semaphore due = new Semaphore(2);
    AtomicInteger changes = new AtomicInteger();
    Store.Subscription watch =
        store.changes(
            0,
            change -> {
              if (changes.incrementAndGet() % 60 == 0) {
                due.release();
              }
            });
    var unused = writers.whenComplete((done, failure) -> due.release());
    for (due.acquire(); !writers.isDone(); due.acquire()) {
      begin.run();
      begun.countDown();
    }
    return watch;
  }

  @Test
  void followersThatStartDuringWritesSeeEachChangeOnce() throws Exception {
    int each = 150;
    List<List<Long>> seen = new ArrayList<>();
    List<Store.Subscription> subscriptions = new ArrayList<>();
    CompletableFuture<Boolean> writers =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                race(
                    () -> {
                      EndpointName name = mote(Thread.currentThread().getName());
                      for (int i = 0; i < each; i++) {
                        awaitFollowers(i);
                        committed(store, plain(name, fact("log", Fact.KEEP_ALL, "x")));
                      }
                      return true;
                    });
                return true;
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    subscriptions.add(
        duringWrites(
            writers,
            () -> {
              List<Long> positions = new ArrayList<>();
              seen.add(positions);
              subscriptions.add(store.changes(0, change -> positions.add(change.position())));
            }));
    assertThat(writers.join()).isTrue();
    subscriptions.forEach(Store.Subscription::close);
    List<Long> all = LongStream.rangeClosed(1, (long) each * THREADS).boxed().toList();
    assertThat(seen).hasSizeGreaterThan(1).allSatisfy(one -> assertThat(one).isEqualTo(all));
  }

  @Test
  void followersThatBeginWithThePresentMissNoChange() throws Exception {
    List<StoreTesting.Projection> seen = new ArrayList<>();
    List<Store.Subscription> subscriptions = new ArrayList<>();
    CompletableFuture<Boolean> writers =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                race(
                    () -> {
                      EndpointName name = mote(Thread.currentThread().getName());
                      for (int i = 1; i <= 200; i++) {
                        awaitFollowers(i);
                        committed(store, numbered(name, i, fact("v" + i % 2, 50, "v" + i)));
                      }
                      return true;
                    });
                return true;
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    subscriptions.add(
        duringWrites(
            writers,
            () -> {
              StoreTesting.Projection one = new StoreTesting.Projection();
              seen.add(one);
              subscriptions.add(store.present(one::fold));
            }));
    assertThat(writers.join()).isTrue();
    subscriptions.forEach(Store.Subscription::close);
    StoreTesting.Projection all = new StoreTesting.Projection();
    feed(store, 0).forEach(all::fold);
    assertThat(all.newest()).hasSize(THREADS * 2);
    assertThat(seen)
        .hasSizeGreaterThan(1)
        .allSatisfy(
            one -> {
              assertThat(one.endpoints).isEqualTo(all.endpoints);
              assertThat(one.newest()).isEqualTo(all.newest());
            });
  }

  @Test
  void aChangeIsSeenByEveryFollowerBeforeItIsAcknowledged() throws Exception {
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    try (Store.Subscription subscription =
        store.changes(0, change -> seen.add(change.position()))) {
      assertThat(subscription).isNotNull();
      race(
          () -> {
            for (int i = 0; i < 100; i++) {
              EndpointName name = mote(Thread.currentThread().getName());
              long position = committed(store, plain(name, fact("v", 1, "x"))).position();
              assertThat(seen).contains(position);
            }
            return true;
          });
    }
    assertThat(seen).hasSize(100 * THREADS);
  }

  @Test
  void acknowledgedBatchesAreReadableAtOnce() throws Exception {
    race(
        () -> {
          EndpointName name = mote(Thread.currentThread().getName());
          for (int i = 1; i <= 100; i++) {
            committed(store, numbered(name, i, fact("v", 1, "v" + i)));
            assertThat(store.endpoint(name))
                .get()
                .extracting(Store.Endpoint::high)
                .isEqualTo((long) i);
            assertThat(history(store, name, "v")).containsExactly("v" + i);
          }
          return true;
        });
  }

  @Test
  void storedChangesArriveOnTheCallersThreadAndNewOnesOnOneOther() {
    committed(store, plain(MOTE, fact("v", 1, "past")));
    List<Thread> callers = new ArrayList<>();
    try (Store.Subscription subscription =
        store.changes(0, any -> callers.add(Thread.currentThread()))) {
      assertThat(subscription).isNotNull();
      committed(store, plain(MOTE, fact("v", 1, "live")));
      committed(store, plain(MOTE, fact("v", 1, "live")));
    }
    assertThat(callers).hasSize(3);
    assertThat(callers.getFirst()).isEqualTo(Thread.currentThread());
    assertThat(callers.get(1)).isEqualTo(callers.get(2)).isNotEqualTo(Thread.currentThread());
  }

  @Test
  void aFollowerMaySubscribeAnother() {
    List<Long> inner = new ArrayList<>();
    List<Store.Subscription> second = new CopyOnWriteArrayList<>();
    try (Store.Subscription first =
        store.changes(
            0,
            change -> {
              if (second.isEmpty()) {
                second.add(store.changes(0, c -> inner.add(c.position())));
              }
            })) {
      assertThat(first).isNotNull();
      committed(store, plain(MOTE, fact("v", 5, "a")));
      committed(store, plain(MOTE, fact("v", 5, "b")));
    }
    second.getFirst().close();
    assertThat(inner).containsExactly(1L, 2L);
  }

  @Test
  void aFollowerThatFailsDoesNotStopTheOthers() {
    List<Change> seen = new ArrayList<>();
    try (Store.Subscription bad =
            store.changes(
                0,
                change -> {
                  throw new IllegalStateException("on purpose, in a test");
                });
        Store.Subscription good = store.changes(0, seen::add)) {
      assertThat(bad).isNotEqualTo(good);
      committed(store, plain(MOTE, fact("v", 1, "a")));
      committed(store, plain(MOTE, fact("v", 1, "b")));
    }
    assertThat(seen).hasSize(2);
  }

  @Test
  void aClosedFollowerIsNotCalled() {
    List<Change> seen = new ArrayList<>();
    Store.Subscription subscription = store.changes(0, seen::add);
    committed(store, plain(MOTE, fact("v", 1, "a")));
    subscription.close();
    subscription.close();
    committed(store, plain(MOTE, fact("v", 1, "b")));
    assertThat(seen).hasSize(1);
    assertThat(feed(store, 0)).hasSize(1);
  }
}
