package dev.vigil.gateway.bench;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import dev.vigil.gateway.bench.load.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** {@code ./vigil bench --growth}: figures at 1 000 to 1 000 000 endpoints. */
public final class Growth {
  private static final List<Integer> SIZES = List.of(1000, 10_000, 100_000, 1_000_000);
  private static final List<Growing> BENCHMARKS =
      List.of(new DirectoryGrowth(), new MirrorGrowth());

  private Growth() {}

  /** Figures that are measured together, while the same endpoints become more. */
  interface Growing {
    Set<Curve.Kind> kinds();

    /**
     * @param sizes ascending numbers of endpoints
     */
    List<Curve> measure(List<Integer> sizes) throws Exception;
  }

  /** The names of all figures. */
  public static List<String> figures() {
    return Arrays.stream(Curve.Kind.values()).map(kind -> kind.label).toList();
  }

  /**
   * Prints a line for each wanted figure, and writes the report.
   *
   * @param quick without the largest number of endpoints
   * @param json the file of all rounds; a table and a plot are written next to it
   * @return false if some figures could not be measured
   */
  public static boolean measure(Predicate<String> wanted, boolean quick, Path json)
      throws IOException {
    List<Integer> sizes = quick ? SIZES.subList(0, SIZES.size() - 1) : SIZES;
    List<Curve> curves = new ArrayList<>();
    boolean complete = true;
    for (Growing benchmark : BENCHMARKS) {
      Set<Curve.Kind> here =
          benchmark.kinds().stream()
              .filter(kind -> wanted.test(kind.label))
              .collect(toCollection(() -> EnumSet.noneOf(Curve.Kind.class)));
      try {
        if (!here.isEmpty()) {
          curves.addAll(measure(benchmark, sizes, here));
        }
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        String labels = here.stream().map(kind -> kind.label).collect(joining(", "));
        Progress.say("not measured: %s: %s", labels, e);
        complete = false;
      }
    }
    new GrowthReport(curves).write(json);
    return complete;
  }

  private static List<Curve> measure(Growing benchmark, List<Integer> sizes, Set<Curve.Kind> wanted)
      throws Exception {
    List<Curve> curves =
        benchmark.measure(sizes).stream().filter(curve -> wanted.contains(curve.kind())).toList();
    curves.forEach(curve -> System.out.println(curve.line()));
    return curves;
  }
}
