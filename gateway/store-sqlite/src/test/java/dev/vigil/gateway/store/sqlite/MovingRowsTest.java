package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of facts that become older facts: readers and copies see each once. */
class MovingRowsTest {
  private static final EndpointName MOTE = mote("mote-1");
  private static final int MANY = 12_020;
  private static final int STEP = 1_000;

  @TempDir Path folder = Path.of("");

  private static CompletableFuture<?> fill(Store store, int from, int to) {
    return CompletableFuture.allOf(
        IntStream.rangeClosed(from, to)
            .mapToObj(number -> store.submit(numbered(MOTE, number, lasting("v", 20, "x"))))
            .toArray(CompletableFuture[]::new));
  }

  private static List<Long> numbers(Store store) {
    return store.history(MOTE, "v", -1, Integer.MAX_VALUE).stream()
        .map(Store.HistoryEntry::sequence)
        .toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void readersSeeEachFactOnceWhileRowsMove() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      fill(store, 1, 20).join();
      CompletableFuture<?> filled = CompletableFuture.completedFuture(null);
      for (int last = 20; last < MANY; last += STEP) {
        filled = CompletableFuture.allOf(filled, fill(store, last + 1, last + STEP));
        List<Long> forward = numbers(store);
        assertThat(forward).isEqualTo(upTo(forward.getLast()));
        List<Long> back =
            store.historyBack(MOTE, "v", Long.MAX_VALUE, Integer.MAX_VALUE).stream()
                .map(Store.HistoryEntry::sequence)
                .toList();
        assertThat(back.reversed()).isEqualTo(upTo(back.getFirst()));
      }
      filled.join();
      assertThat(numbers(store)).isEqualTo(upTo(MANY));
    }
  }

  @Test
  void aCopyOfARunningStoreHasEachFactOnce() throws IOException {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (int copy = 1; copy <= 5; copy++) {
        fill(store, (copy - 1) * 1300 + 1, copy * 1300).join();
        Path other = Files.createDirectory(folder.resolve("copy-" + copy));
        new SqliteDatabase(folder.resolve("vigil.db")).copyTo(other.resolve("vigil.db"));
        try (SqliteStore restored = SqliteStore.open(other, System::nanoTime)) {
          assertThat(numbers(restored)).isEqualTo(upTo(copy * 1300));
          fill(restored, copy * 1300 + 1, copy * 1300 + 500).join();
          assertThat(numbers(restored)).isEqualTo(upTo(copy * 1300 + 500));
        }
      }
    }
  }

  @Test
  void factsOfAnOlderVersionBecomeOlderFacts() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (int number = 1; number <= 90; number++) {
        store.submit(numbered(MOTE, number, fact("v", 100, "x"))).join();
      }
    }
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      fill(store, 91, 400).join();
    }
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      assertThat(numbers(store)).isEqualTo(upTo(400));
    }
  }
}
