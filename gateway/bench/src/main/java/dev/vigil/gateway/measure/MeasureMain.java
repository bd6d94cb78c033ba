package dev.vigil.gateway.measure;

import dev.vigil.gateway.bench.Benchmarks;
import dev.vigil.gateway.bench.Growth;
import dev.vigil.gateway.evaluate.Experiments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code ./vigil bench} and {@code ./vigil evaluate}: make the wanted results one after the other.
 * Exit codes: 0 all were made; 1 some could not be made, or with {@code --strict} a condition does
 * not hold; 2 wrong options.
 */
@Command(name = "measure")
final class MeasureMain {
  @Spec private CommandSpec spec = CommandSpec.create();

  private MeasureMain() {}

  static void main(String[] arguments) {
    CommandLine command = new CommandLine(new MeasureMain());
    // The launcher's own options come first; the user's follow and override them.
    command.setOverwrittenOptionsAllowed(true);
    command.setParameterExceptionHandler(
        (error, words) -> {
          System.err.println("vigil: " + error.getMessage());
          return CommandLine.ExitCode.USAGE;
        });
    System.exit(command.execute(arguments));
  }

  @Command(
      description = "Measures the project's targets: name value unit reference ratio target met.",
      mixinStandardHelpOptions = true)
  int bench(
      @Option(
              names = "--only",
              paramLabel = "NAME",
              split = ",",
              description = "Only these targets, or the targets whose names begin so.")
          @Nullable List<String> only,
      @Option(
              names = "--quick",
              description = "Under 3 minutes: fewer and shorter rounds, fewer endpoints.")
          boolean quick,
      @Option(
              names = "--growth",
              description =
                  "Measures at 1 000 to 1 000 000 endpoints: name unit values rise target met.")
          boolean growth,
      @Option(
              names = "--json",
              paramLabel = "FILE",
              defaultValue = "bench.json",
              description = "Also holds every round (default: ${DEFAULT-VALUE}).")
          Path json)
      throws IOException {
    List<String> figures = growth ? Growth.figures() : Benchmarks.figures();
    Predicate<String> wanted = wanted("bench", "figure", only, figures, ".");
    boolean complete =
        growth ? Growth.measure(wanted, quick, json) : Benchmarks.measure(wanted, quick, json);
    return complete ? 0 : 1;
  }

  @Command(
      description = "Reproduces the papers' tables: their figures beside ours.",
      mixinStandardHelpOptions = true)
  int evaluate(
      @Option(
              names = "--only",
              paramLabel = "NAME",
              split = ",",
              description = "Only these tables, or the tables whose names begin so.")
          @Nullable List<String> only,
      @Option(names = "--quick", description = "Seconds: only what needs no emulator.")
          boolean quick,
      @Option(names = "--strict", description = "Exit code 1 if a condition does not hold.")
          boolean strict,
      @Option(
              names = "--output",
              paramLabel = "DIR",
              defaultValue = ".",
              description =
                  "For evaluation.md, evaluation.json and plots (default: ${DEFAULT-VALUE}).")
          Path output)
      throws IOException {
    Experiments experiments =
        new Experiments(Path.of(System.getProperty("vigil.evaluate.motes", "mote-firmware")));
    Predicate<String> wanted = wanted("evaluate", "table", only, experiments.tables(), "-");
    return experiments.make(wanted, quick, strict, output) ? 0 : 1;
  }

  /**
   * The names that {@code --only} selects: {@code alharby} selects alharby-5.
   *
   * @param separator after the part of a name that may stand for it
   */
  private Predicate<String> wanted(
      String command,
      String noun,
      @Nullable List<String> only,
      List<String> all,
      String separator) {
    if (only == null) {
      return any -> true;
    }
    for (String name : only) {
      if (all.stream().noneMatch(one -> (one + separator).startsWith(name + separator))) {
        throw new ParameterException(
            spec.subcommands().get(command),
            "--only: there is no %s \"%s\"; there are %s"
                .formatted(noun, name, String.join(", ", all)));
      }
    }
    return one -> only.stream().anyMatch(name -> (one + separator).startsWith(name + separator));
  }
}
