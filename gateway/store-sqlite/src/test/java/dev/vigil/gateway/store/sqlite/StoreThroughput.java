package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.store.Fact;
import dev.vigil.store.SubmitResult;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * Measures group commit: committed updates of 350 octets per second and CPU time per update, for a
 * number of endpoints and a number of updates in flight. Run by hand: {@code StoreThroughput FOLDER
 * ENDPOINTS IN_FLIGHT UPDATES KEEP OLDER}; OLDER says whether slots keep older facts.
 */
final class StoreThroughput {
  private static final String TEXT =
      "eyJhbGciOiJFUzI1NiIsInR5cCI6InZpZ2lsLXVwZCIsImN0eSI6ImFwcGxpY2F0aW9uL3Nlbm1sK2pzb24iLCJraWQiOiJ";

  private static final int OCTETS = 350;

  /** The octets of a signature and of numbers, which differ from update to update. */
  private static final int RANDOM = 100;

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private static int keep;
  private static boolean older;

  private StoreThroughput() {}

  public static void main(String[] args) throws InterruptedException {
    int endpoints = Integer.parseInt(args[1]);
    int inFlight = Integer.parseInt(args[2]);
    int updates = Integer.parseInt(args[3]);
    keep = Integer.parseInt(args[4]);
    older = Boolean.parseBoolean(args[5]);
    try (SqliteStore store = SqliteStore.open(Path.of(args[0]), System::nanoTime)) {
      long offset =
          java.util.stream.IntStream.range(0, endpoints)
              .mapToLong(i -> store.endpoint(mote("mote-" + i)).map(e -> e.high()).orElse(0L))
              .max()
              .orElse(0);
      for (int round = 0; round < 3; round++) {
        measure(store, endpoints, inFlight, updates, offset + (long) round * updates);
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
    SplittableRandom random = new SplittableRandom(offset);
    for (int i = 0; i < updates; i++) {
      window.acquire();
      int mixed = (int) ((i * 2654435761L) % endpoints);
      store
          .submit(
              numbered(
                  mote("mote-" + mixed),
                  offset + i + 1,
                  new Fact("value/temp", keep, older, body(mixed, random))))
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

  /** Octets that compress like a signed update of an endpoint. */
  private static byte[] body(int endpoint, SplittableRandom random) {
    byte[] signature = new byte[RANDOM * 3 / 4];
    random.nextBytes(signature);
    String constant =
        (TEXT + BASE64.encodeToString(("endpoint " + endpoint).getBytes(UTF_8))).repeat(3);
    return (constant.substring(0, OCTETS - RANDOM) + BASE64.encodeToString(signature))
        .getBytes(UTF_8);
  }

  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
