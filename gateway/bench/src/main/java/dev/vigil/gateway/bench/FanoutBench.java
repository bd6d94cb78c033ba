package dev.vigil.gateway.bench;

import dev.vigil.gateway.bench.load.BenchMotes;
import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.CoapLoad;
import dev.vigil.gateway.bench.load.Observers;
import dev.vigil.gateway.bench.load.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Processor time of a gateway process for each of 10 000 observers that one update reaches. Ten
 * updates at a time, so that one in ten notifications is confirmable, as always.
 */
final class FanoutBench implements Benchmark {
  private static final int OBSERVERS = 10_000;
  private static final int UPDATES = 10;

  @Override
  public List<Target> targets() {
    return List.of(Target.OBSERVE_FANOUT);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    Path folder = Files.createTempDirectory("vigil-bench");
    try (BenchSupport.Server server = BenchSupport.Server.start(folder);
        Observers observers = new Observers(server.port(), OBSERVERS);
        CoapLoad mote = new CoapLoad(server.port(), 1)) {
      BenchMotes motes = new BenchMotes(1);
      BenchSupport.require(mote.run(1, motes::registration), "2.01", 1);
      BenchSupport.require(mote.run(1, i -> motes.update(0, "1", "temp", 2)), "2.01", 1);
      observers.observe();
      int warm = effort.of(5, 3);
      List<Figure.Round> rounds = new ArrayList<>();
      for (int round = 0; round < warm + effort.of(9, 3); round++) {
        Duration before = server.cpu();
        for (int i = 0; i < UPDATES; i++) {
          long seq = 3 + (long) round * UPDATES + i;
          BenchSupport.require(mote.run(1, any -> motes.update(0, "1", "temp", seq)), "2.04", 1);
          observers.await();
        }
        double each = BenchSupport.micros(server.cpu().minus(before)) / UPDATES / OBSERVERS;
        Progress.say("observe.fanout: %.1f us%s", each, round < warm ? " (warm-up)" : "");
        if (round >= warm) {
          rounds.add(Figure.Round.of(each));
        }
      }
      return List.of(new Figure(Target.OBSERVE_FANOUT, rounds));
    } finally {
      BenchSupport.delete(folder);
    }
  }
}
