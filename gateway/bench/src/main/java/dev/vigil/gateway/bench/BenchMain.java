package dev.vigil.gateway.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./vigil bench}: measures targets one after the other, a line each. Exit codes: 0 all were
 * measured, met or not; 1 some could not be measured; 2 wrong options.
 */
@Command(
    name = "bench",
    description = "Measures the project's targets: name value unit reference ratio target met.",
    mixinStandardHelpOptions = true)
final class BenchMain implements Callable<Integer> {
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
          new BootBench());

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "These alone, or those whose names begin so.")
  private List<String> only = List.of();

  @Option(
      names = "--quick",
      description = "Under 3 minutes: fewer and shorter rounds, fewer endpoints.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also holds every round (default: ${DEFAULT-VALUE}).")
  private Path json = Path.of("bench.json");

  @Spec private CommandSpec spec = CommandSpec.create();

  private BenchMain() {}

  static void main(String[] arguments) {
    CommandLine command = new CommandLine(new BenchMain());
    // The launcher's own options come first; the user's follow and override them.
    command.setOverwrittenOptionsAllowed(true);
    command.setParameterExceptionHandler(
        (error, words) -> {
          System.err.println("vigil: " + error.getMessage());
          return CommandLine.ExitCode.USAGE;
        });
    System.exit(command.execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    Set<Target> wanted = wanted();
    Map<String, Object> report = new LinkedHashMap<>();
    boolean complete = true;
    for (Benchmark benchmark : BENCHMARKS) {
      Set<Target> here = EnumSet.copyOf(benchmark.targets());
      here.retainAll(wanted);
      if (!here.isEmpty()) {
        complete &= measure(benchmark, here, report);
      }
    }
    Files.writeString(json, JsonMapper.shared().writeValueAsString(report) + "\n");
    return complete ? 0 : 1;
  }

  private boolean measure(Benchmark benchmark, Set<Target> here, Map<String, Object> report) {
    try {
      for (Figure figure : benchmark.measure(here, new Benchmark.Effort(quick))) {
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

  private Set<Target> wanted() {
    if (only.isEmpty()) {
      return EnumSet.allOf(Target.class);
    }
    List<Target> chosen = new ArrayList<>();
    for (String name : only) {
      List<Target> named =
          Arrays.stream(Target.values())
              .filter(target -> (target.label + ".").startsWith(name + "."))
              .toList();
      if (named.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(),
            "--only: there is no figure \"%s\"; there are %s"
                .formatted(name, labels(EnumSet.allOf(Target.class))));
      }
      chosen.addAll(named);
    }
    return EnumSet.copyOf(chosen);
  }

  private static String labels(Set<Target> targets) {
    return targets.stream().map(target -> target.label).collect(Collectors.joining(", "));
  }
}
