package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;

import dev.vigil.store.Fact;
import dev.vigil.store.SubmitResult;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures updates of 350 octets per second, this process's CPU time for each, and their latency,
 * with three servers on this machine. Run by hand: {@code ClusterThroughput FOLDER ENDPOINTS
 * IN_FLIGHT UPDATES PER_SECOND}; PER_SECOND 0 sends as fast as the updates in flight allow.
 */
final class ClusterThroughput {
  private static final int OCTETS = 350;
  private static final int ROUNDS = 3;

  private ClusterThroughput() {}

  public static void main(String[] args) throws InterruptedException {
    int endpoints = Integer.parseInt(args[1]);
    int inFlight = Integer.parseInt(args[2]);
    int updates = Integer.parseInt(args[3]);
    int perSecond = Integer.parseInt(args[4]);
    try (NatsCluster cluster = new NatsCluster();
        JetStreamStore store =
            JetStreamStore.open(
                cluster.options("THROUGHPUT"),
                Path.of(args[0]),
                NatsCluster.RANDOM,
                System::nanoTime)) {
      for (int round = 0; round < ROUNDS; round++) {
        measure(store, endpoints, inFlight, updates, perSecond, (long) round * updates);
      }
    }
  }

  private static void measure(
      JetStreamStore store, int endpoints, int inFlight, int updates, int perSecond, long offset)
      throws InterruptedException {
    Semaphore window = new Semaphore(inFlight);
    CountDownLatch committed = new CountDownLatch(updates);
    long[] latencies = new long[updates];
    SplittableRandom random = new SplittableRandom(offset);
    long cpu = cpu();
    long start = System.nanoTime();
    for (int i = 0; i < updates; i++) {
      int number = i;
      if (perSecond > 0) {
        long due = start + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
      }
      window.acquire();
      byte[] body = new byte[OCTETS];
      random.nextBytes(body);
      int mixed = (int) ((i * 2654435761L) % endpoints);
      long sent = System.nanoTime();
      store
          .submit(numbered(mote("mote-" + mixed), offset + i + 1, new Fact("value/temp", 1, body)))
          .whenComplete(
              (outcome, failure) -> {
                if (outcome instanceof SubmitResult.Committed) {
                  latencies[number] = System.nanoTime() - sent;
                  committed.countDown();
                }
                window.release();
              });
    }
    committed.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    Arrays.sort(latencies);
    System.out.printf(
        Locale.ROOT,
        "%d endpoints, %d in flight: %.0f updates/s, %.1f us of CPU each, median %.1f ms, 99 %% %.1f ms%n",
        endpoints,
        inFlight,
        updates / seconds,
        (cpu() - cpu) / 1e3 / updates,
        latencies[updates / 2] / 1e6,
        latencies[updates - 1 - updates / 100] / 1e6);
  }

  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
