package dev.vigil.gateway.bench;

import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.GcLog;
import dev.vigil.gateway.bench.load.MirroredEndpoints;
import dev.vigil.gateway.bench.load.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Signed updates as in {@link MirrorBench}, with the pauses of the garbage collector meanwhile, and
 * restarts and the heap of an endpoint as in {@link StateBench}.
 */
final class MirrorGrowth implements Growth.Growing {
  private static final int PEERS = 64;
  private static final int PAIRS = 5;
  private static final int UPDATES = 12_000;
  private static final int WARM_UP = 3;

  @Override
  public Set<Curve.Kind> kinds() {
    return EnumSet.range(Curve.Kind.UPDATE, Curve.Kind.RESTART_EACH);
  }

  @Override
  public List<Curve> measure(List<Integer> sizes) throws Exception {
    int least = sizes.getFirst();
    Curve.Collector curves = new Curve.Collector();
    StateBench.warmUp();
    try (Server small = new Server();
        Server large = new Server()) {
      small.endpoints.growTo(least);
      small.warmUp();
      for (int size : sizes) {
        Progress.say("ingest.cpu_us, restart.recover: registers %d endpoints", size);
        large.endpoints.growTo(size);
        large.endpoints.kill();
        double each = (double) StateBench.Heaps.of(large.folder).sum() / size;
        curves.put(Curve.Kind.STATE_BYTES, size, List.of(Figure.Round.of(each)));
        restart(large, curves);
        if (size == sizes.getLast()) {
          update(small, large, curves);
        } else if (size > least) {
          updateCopy(small, large, curves);
        }
      }
    }
    return curves.curves(least);
  }

  /** The updates are forgotten: otherwise later restarts would read a history of many values. */
  private static void updateCopy(Server small, Server large, Curve.Collector curves)
      throws Exception {
    large.endpoints.kill();
    Path saved = Files.createTempDirectory("vigil-bench");
    BenchSupport.copy(large.folder, saved);
    large.endpoints.restart();
    update(small, large, curves);
    large.endpoints.kill();
    BenchSupport.delete(large.folder);
    Files.move(saved, large.folder);
    large.endpoints.restart();
  }

  private static void update(Server small, Server large, Curve.Collector curves) throws Exception {
    large.warmUp();
    List<Double> largePauses = new ArrayList<>();
    List<Double> smallPauses = new ArrayList<>();
    int size = large.endpoints.size();
    curves.pairs(
        Curve.Kind.UPDATE,
        size,
        PAIRS,
        () -> large.send(largePauses),
        () -> small.send(smallPauses));
    while (largePauses.size() < PAIRS) {
      large.send(largePauses);
    }
    Progress.say("gc: %s, reference %s", largePauses, smallPauses);
    curves.put(
        Curve.Kind.PAUSE,
        size,
        List.of(new Figure.Round(median(largePauses), median(smallPauses))));
    curves.put(
        Curve.Kind.LONGEST_PAUSE,
        size,
        List.of(new Figure.Round(Collections.max(largePauses), Collections.max(smallPauses))));
  }

  private static double median(List<Double> values) {
    return Figure.median(values.stream().map(Figure.Round::of).toList(), Figure.Round::value);
  }

  private static void restart(Server server, Curve.Collector curves) throws Exception {
    int size = server.endpoints.size();
    List<Figure.Round> seconds = new ArrayList<>();
    // A restart of a few seconds is repeated.
    do {
      seconds.add(Figure.Round.of(StateBench.restart(server.endpoints)));
    } while (seconds.size() < 3 && seconds.getLast().value() < 10);
    curves.put(Curve.Kind.RESTART, size, seconds);
    List<Figure.Round> each =
        seconds.stream().map(round -> Figure.Round.of(round.value() * 1e6 / size)).toList();
    curves.put(Curve.Kind.RESTART_EACH, size, each);
  }

  /** A server in a folder of its own that logs its garbage collections. */
  private static final class Server implements AutoCloseable {
    final Path folder = Files.createTempDirectory("vigil-bench");
    private final Path logs = Files.createTempDirectory("vigil-bench");
    private final GcLog gc = new GcLog(logs.resolve("gc.log"));
    final MirroredEndpoints endpoints = new MirroredEndpoints(folder, PEERS, gc.option());

    Server() throws IOException {}

    void warmUp() throws IOException {
      for (int i = 0; i < WARM_UP; i++) {
        endpoints.send(UPDATES);
      }
    }

    /**
     * @param pauses receives the pauses meanwhile
     * @return microseconds of CPU for an update
     */
    double send(List<Double> pauses) throws IOException {
      int before = gc.pauses().size();
      double cpu = endpoints.send(UPDATES).cpu();
      List<Double> all = gc.pauses();
      pauses.addAll(all.subList(before, all.size()));
      return cpu;
    }

    @Override
    public void close() throws IOException {
      endpoints.close();
      BenchSupport.delete(folder);
      BenchSupport.delete(logs);
    }
  }
}
