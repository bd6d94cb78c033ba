package dev.vigil.gateway.bench;

import dev.vigil.coap.exchange.Topics;
import dev.vigil.directory.Directory;
import dev.vigil.gateway.bench.load.BenchMotes;
import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.CoapLoad;
import dev.vigil.gateway.bench.load.MirrorServer;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A gateway process takes registrations and an update of both resources from each of 100 000
 * endpoints, is killed, and starts again; then the heap of each part is measured over the same
 * file.
 */
final class StateBench implements Benchmark {
  private static final int PEERS = 64;
  private static final int RADIX = 36;

  /** Within EXCHANGE_LIFETIME a message id must not come again (RFC 7252 section 4.4). */
  private static final int ONE_PEERS_MESSAGES = 50_000;

  @Override
  public List<Target> targets() {
    return List.of(Target.MIRROR_BYTES, Target.RESTART);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    int endpoints = effort.of(100_000, 20_000);
    Progress.say("mirror.bytes_per_endpoint, restart.recover: registers %d endpoints", endpoints);
    Path folder = Files.createTempDirectory("vigil-bench");
    try {
      fill(folder, endpoints);
      List<Figure.Round> restarts = new ArrayList<>();
      for (int i = 0; i < effort.of(3, 1); i++) {
        restarts.add(Figure.Round.of(recover(folder, endpoints)));
      }
      return List.of(weigh(folder, endpoints), new Figure(Target.RESTART, restarts));
    } finally {
      BenchSupport.delete(folder);
    }
  }

  /** Ends with {@code kill -9}. */
  private static void fill(Path folder, int endpoints) throws Exception {
    BenchSupport.Server server = BenchSupport.Server.start(folder);
    BenchMotes motes = new BenchMotes(endpoints);
    try (CoapLoad load = new CoapLoad(server.port(), PEERS)) {
      for (int from = 0; from < endpoints; from += ONE_PEERS_MESSAGES) {
        int first = from;
        int count = Math.min(ONE_PEERS_MESSAGES, endpoints - from);
        // Registrations run one after the other, so that the store counts ids up in the order of
        // the motes.
        try (CoapLoad one = new CoapLoad(server.port(), 1)) {
          BenchSupport.require(one.run(count, i -> motes.registration(first + i)), "2.01", count);
        }
      }
      for (String path : List.of("temp", "load")) {
        int seq = path.equals("temp") ? 2 : 3;
        BenchSupport.require(
            load.run(endpoints, i -> motes.update(i, id(i), path, seq)), "2.01", endpoints);
      }
    } finally {
      server.kill();
    }
  }

  private static String id(int mote) {
    return Integer.toString(mote + 1, RADIX);
  }

  /** Seconds from the start of the process to the last endpoint's value. Ends with a kill. */
  private static double recover(Path folder, int endpoints) throws Exception {
    long started = System.nanoTime();
    BenchSupport.Server server = BenchSupport.Server.start(folder);
    try (CoapLoad load = new CoapLoad(server.port(), 1)) {
      byte[] get =
          CoapLoad.message(
              1,
              CoapLoad.options(List.of("ms", id(endpoints - 1), "load"), -1, List.of()),
              new byte[0]);
      BenchSupport.require(load.run(1, i -> get), "2.05", 1);
      double seconds = (System.nanoTime() - started) / 1e9;
      Progress.say(
          "restart.recover: %.1f s, %.1f s of CPU, %d endpoints",
          seconds, server.cpu().toMillis() / 1000.0, endpoints);
      return seconds;
    } finally {
      server.kill();
    }
  }

  private static Figure weigh(Path folder, int endpoints) throws Exception {
    Path nothing = Files.createTempDirectory("vigil-bench");
    try {
      // The heap without endpoints: classes, caches, the first pages.
      heaps(nothing);
    } finally {
      BenchSupport.delete(nothing);
    }
    long[] heaps = heaps(folder);
    Progress.say(
        "mirror.bytes_per_endpoint: not included are the store's %d B and the directory's %d B",
        (heaps[1] - heaps[0]) / endpoints, (heaps[3] - heaps[2]) / endpoints);
    return Figure.of(Target.MIRROR_BYTES, (double) (heaps[2] - heaps[1]) / endpoints);
  }

  /** Heap before, and with the store, the mirror and the directory added one after the other. */
  private static long[] heaps(Path folder) throws Exception {
    Clock clock = Clock.systemUTC();
    Topics topics = new Topics();
    long before = BenchSupport.heap();
    try (Store store = SqliteStore.open(folder, System::nanoTime)) {
      long stored = BenchSupport.heap();
      try (MirrorProxy mirror = MirrorServer.mirror(store, topics, clock, folder)) {
        long mirrored = BenchSupport.heap();
        try (Directory directory = MirrorServer.directory(store, topics, clock)) {
          if (mirror.routes().isEmpty() || directory.routes().isEmpty()) {
            throw new IllegalStateException("nothing is served");
          }
          long all = BenchSupport.heap();
          return new long[] {before, stored, mirrored, all};
        }
      }
    }
  }
}
