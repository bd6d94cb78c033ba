package dev.vigil.gateway.bench;

import dev.vigil.coap.exchange.Topics;
import dev.vigil.directory.Directory;
import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.MirrorServer;
import dev.vigil.gateway.bench.load.MirroredEndpoints;
import dev.vigil.gateway.bench.load.Progress;
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
      List<Figure.Round> restarts = new ArrayList<>();
      try (MirroredEndpoints filled = new MirroredEndpoints(folder, PEERS)) {
        filled.growTo(endpoints);
        for (int i = 0; i < effort.of(3, 1); i++) {
          restarts.add(Figure.Round.of(restart(filled)));
        }
      }
      return List.of(weigh(folder, endpoints), new Figure(Target.RESTART, restarts));
    } finally {
      BenchSupport.delete(folder);
    }
  }

  static double restart(MirroredEndpoints endpoints) throws Exception {
    double seconds = endpoints.restart();
    Progress.say(
        "restart.recover: %.1f s, %.1f s of CPU, %d endpoints",
        seconds, endpoints.server().cpu().toMillis() / 1000.0, endpoints.size());
    return seconds;
  }

  private static Figure weigh(Path folder, int endpoints) throws Exception {
    warmUp();
    Heaps heaps = Heaps.of(folder);
    Progress.say(
        "mirror.bytes_per_endpoint: not included are the store's %d B and the directory's %d B",
        heaps.store() / endpoints, heaps.directory() / endpoints);
    return Figure.of(Target.MIRROR_BYTES, (double) heaps.mirror() / endpoints);
  }

  /** Fills the heap that an empty store needs: classes, caches, the first pages. */
  static void warmUp() throws Exception {
    Path nothing = Files.createTempDirectory("vigil-bench");
    try {
      Heaps.of(nothing);
    } finally {
      BenchSupport.delete(nothing);
    }
  }

  /** Octets of heap of each part over the same file. */
  record Heaps(long store, long mirror, long directory) {
    long sum() {
      return store + mirror + directory;
    }

    /** Adds the parts one after the other. */
    static Heaps of(Path folder) throws Exception {
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
            return new Heaps(stored - before, mirrored - stored, all - mirrored);
          }
        }
      }
    }
  }
}
