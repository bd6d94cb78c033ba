package dev.vigil.gateway.bench;

import dev.vigil.gateway.bench.load.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** All benchmarks of {@code ./vigil bench}; they run one after the other. */
public final class Benchmarks {
  private static final List<Benchmark> BENCHMARKS =
      List.of(
          new MirrorBench(),
          new FanoutBench(),
          new RegistrationBench(),
          new LookupBench(),
          new StateBench(),
          new BridgeBench(),
          new EspBench(),
          new HandshakeBench(),
          new BootBench(),
          new ClusterBench());

  private Benchmarks() {}

  /** The names of all figures. */
  public static List<String> figures() {
    return Arrays.stream(Target.values()).map(target -> target.label).toList();
  }

  /**
   * Prints a line for each wanted figure.
   *
   * @param quick fewer and shorter rounds
   * @param json the file that also holds every round
   * @return false if some figures could not be measured
   */
  public static boolean measure(Predicate<String> wanted, boolean quick, Path json)
      throws IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    boolean complete = true;
    for (Benchmark benchmark : BENCHMARKS) {
      Set<Target> here = EnumSet.copyOf(benchmark.targets());
      here.removeIf(target -> !wanted.test(target.label));
      if (!here.isEmpty()) {
        complete &= measure(benchmark, here, new Benchmark.Effort(quick), report);
      }
    }
    Files.writeString(json, JsonMapper.shared().writeValueAsString(report) + "\n");
    return complete;
  }

  private static boolean measure(
      Benchmark benchmark, Set<Target> here, Benchmark.Effort effort, Map<String, Object> report) {
    try {
      for (Figure figure : benchmark.measure(here, effort)) {
        if (here.contains(figure.target())) {
          System.out.println(figure.line());
          report.put(figure.target().label, figure.json());
        }
      }
      return true;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      Progress.say("not measured: %s: %s", labels(here), e);
      return false;
    }
  }

  private static String labels(Set<Target> targets) {
    return targets.stream().map(target -> target.label).collect(Collectors.joining(", "));
  }
}
