package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;

import dev.vigil.store.Fact;
import dev.vigil.store.SubmitResult;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * Measures group commit: committed updates of 350 octets per second and CPU time per update, for a
 * number of endpoints and a number of updates in flight. Run by hand: {@code StoreThroughput FOLDER
 * ENDPOINTS IN_FLIGHT UPDATES}.
 */
final class StoreThroughput {
  private static final int OCTETS = 350;

  private StoreThroughput() {}

  public static void main(String[] args) throws InterruptedException {
    int endpoints = Integer.parseInt(args[1]);
    int inFlight = Integer.parseInt(args[2]);
    int updates = Integer.parseInt(args[3]);
    try (SqliteStore store = SqliteStore.open(Path.of(args[0]), System::nanoTime)) {
      for (int round = 0; round < 3; round++) {
        measure(store, endpoints, inFlight, updates, (long) round * updates);
      }
    }
  }

  private static void measure(
      SqliteStore store, int endpoints, int inFlight, int updates, long offset)
      throws InterruptedException {
    Semaphore window = new Semaphore(inFlight);
    CountDownLatch committed = new CountDownLatch(updates);
    long syncs = store.counts().syncs();
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
                if (outcome instanceof SubmitResult.Committed) {
                  committed.countDown();
                }
                window.release();
              });
    }
    committed.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%d endpoints, %d in flight: %.0f updates/s, %.1f us of CPU each, %.1f to a sync%n",
        endpoints,
        inFlight,
        updates / seconds,
        (cpu() - cpu) / 1e3 / updates,
        (double) updates / (store.counts().syncs() - syncs));
  }

  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
