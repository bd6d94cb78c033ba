package dev.vigil.gateway.store;

import static dev.vigil.gateway.store.Given.mote;
import static dev.vigil.gateway.store.Given.numbered;

import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * Measures group commit: how many updates of 350 octets land a second, and the CPU of one, for a
 * number of endpoints and of updates under way at a time. Run by hand: {@code StoreThroughput
 * FOLDER ENDPOINTS UNDER_WAY UPDATES}.
 */
final class StoreThroughput {
  private static final int OCTETS = 350;

  private StoreThroughput() {}

  public static void main(String[] args) throws InterruptedException {
    int endpoints = Integer.parseInt(args[1]);
    int underWay = Integer.parseInt(args[2]);
    int updates = Integer.parseInt(args[3]);
    try (SqliteStore store = SqliteStore.open(Path.of(args[0]))) {
      for (int round = 0; round < 3; round++) {
        measure(store, endpoints, underWay, updates, (long) round * updates);
      }
    }
  }

  private static void measure(
      SqliteStore store, int endpoints, int underWay, int updates, long offset)
      throws InterruptedException {
    Semaphore window = new Semaphore(underWay);
    CountDownLatch landed = new CountDownLatch(updates);
    long syncs = store.figures().syncs();
    long cpu = cpu();
    long start = System.nanoTime();
    for (int i = 0; i < updates; i++) {
      window.acquire();
      int mixed = (int) ((i * 2654435761L) % endpoints);
      store
          .submit(
              numbered(
                  mote("mote-" + mixed),
                  offset + i + 1,
                  new Fact("value/temp", 1, new byte[OCTETS])))
          .whenComplete(
              (outcome, failure) -> {
                if (outcome instanceof Outcome.Landed) {
                  landed.countDown();
                }
                window.release();
              });
    }
    landed.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%d endpoints, %d under way: %.0f updates/s, %.1f us of CPU each, %.1f to a sync%n",
        endpoints,
        underWay,
        updates / seconds,
        (cpu() - cpu) / 1e3 / updates,
        (double) updates / (store.figures().syncs() - syncs));
  }

  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
