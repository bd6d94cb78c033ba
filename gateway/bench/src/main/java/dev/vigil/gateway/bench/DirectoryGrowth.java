package dev.vigil.gateway.bench;

import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.DirectoryServer;
import dev.vigil.gateway.bench.load.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Filtered lookups and the heap of an endpoint as in {@link LookupBench}, and durable registrations
 * as in {@link RegistrationBench}, which are removed again after each turn.
 */
final class DirectoryGrowth implements Growth.Growing {
  private static final int PAIRS = 5;
  private static final int LOOKUPS = 20_000;
  private static final int WARM_UP = 5;

  @Override
  public Set<Curve.Kind> kinds() {
    return EnumSet.of(Curve.Kind.LOOKUP, Curve.Kind.REGISTRATION, Curve.Kind.DIRECTORY_BYTES);
  }

  @Override
  public List<Curve> measure(List<Integer> sizes) throws Exception {
    Curve.Collector curves = new Curve.Collector();
    lookUp(sizes, curves);
    register(sizes, curves);
    return curves.curves(sizes.getFirst());
  }

  private static void lookUp(List<Integer> sizes, Curve.Collector curves) throws Exception {
    int least = sizes.getFirst();
    LookupBench.Filled small = new LookupBench.Filled(least);
    small.lookUp(WARM_UP * LOOKUPS);
    for (int size : sizes) {
      Progress.say("rd.lookup_us, rd.bytes_per_endpoint: registers %d endpoints", size);
      long before = BenchSupport.heap();
      LookupBench.Filled filled = new LookupBench.Filled(size);
      double each = (double) (BenchSupport.heap() - before) / size;
      curves.put(Curve.Kind.DIRECTORY_BYTES, size, List.of(Figure.Round.of(each)));
      if (size > least) {
        curves.pairs(
            Curve.Kind.LOOKUP,
            size,
            PAIRS,
            () -> filled.lookUp(LOOKUPS),
            () -> small.lookUp(LOOKUPS));
      }
    }
  }

  private static void register(List<Integer> sizes, Curve.Collector curves) throws Exception {
    int least = sizes.getFirst();
    Path smallFolder = Files.createTempDirectory("vigil-bench");
    Path folder = Files.createTempDirectory("vigil-bench");
    try (var smallServer = BenchSupport.Server.start(DirectoryServer.class, smallFolder);
        var server = BenchSupport.Server.start(DirectoryServer.class, folder);
        var small = new RegistrationBench.Registrations(smallServer.port(), smallServer.process());
        var large = new RegistrationBench.Registrations(server.port(), server.process())) {
      small.send(least);
      large.send(least);
      for (int i = 0; i < WARM_UP; i++) {
        small.sendAndRemove();
        large.sendAndRemove();
      }
      int registered = least;
      for (int size : sizes.subList(1, sizes.size())) {
        Progress.say("rd.register_us: registers %d endpoints", size);
        large.send(size - registered);
        registered = size;
        curves.pairs(
            Curve.Kind.REGISTRATION, size, PAIRS, large::sendAndRemove, small::sendAndRemove);
      }
    } finally {
      BenchSupport.delete(smallFolder);
      BenchSupport.delete(folder);
    }
  }
}
