package dev.vigil.gateway.evaluate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code ./vigil evaluate}: makes the papers' tables one after the other. Exit codes: 0 all were
 * made; 1 some could not be made, or with {@code --strict} a condition does not hold; 2 wrong
 * options.
 */
@Command(
    name = "evaluate",
    description = "Makes the papers' tables again: theirs beside ours.",
    mixinStandardHelpOptions = true)
final class EvaluateMain implements Callable<Integer> {
  private final List<Experiment> experiments;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "These tables alone, or those whose names begin so.")
  private List<String> only = List.of();

  @Option(names = "--quick", description = "Seconds: only what needs no emulator.")
  private boolean quick;

  @Option(names = "--strict", description = "Exit code 1 if a condition does not hold.")
  private boolean strict;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "For evaluation.md, evaluation.json and plots (default: ${DEFAULT-VALUE}).")
  private Path output = Path.of(".");

  @Spec private CommandSpec spec = CommandSpec.create();

  private EvaluateMain(EmulatedMotes motes) {
    experiments =
        List.of(
            new RazaOverhead(),
            new RazaEnergy(),
            new Networks(motes),
            new RadioDutyCycle(motes),
            new DtlsBesideIpsec(motes),
            new Footprint(motes),
            new Instructions(motes),
            new BagciStorage(motes),
            new BagciExperiments(motes),
            new BagciEnergy(motes),
            new Alharby(),
            new AlharbyRadio(motes),
            new Sethi());
  }

  static void main(String[] arguments) {
    EmulatedMotes motes =
        new EmulatedMotes(Path.of(System.getProperty("vigil.evaluate.motes", "mote-firmware")));
    CommandLine command = new CommandLine(new EvaluateMain(motes));
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
    requireKnown();
    List<Table> made = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (Experiment experiment : experiments) {
      List<String> wanted = experiment.tables().stream().filter(this::isWanted).toList();
      if (!wanted.isEmpty() && (experiment.isQuick() || !quick)) {
        make(experiment, wanted, made, absent);
      }
    }
    EvaluationReport report = new EvaluationReport(made, absent);
    report.write(output);
    System.err.println(
        "%d tables, %d conditions do not hold; %s"
            .formatted(made.size(), report.notMet(), output.resolve("evaluation.md")));
    return !absent.isEmpty() || strict && report.notMet() > 0 ? 1 : 0;
  }

  private static void make(
      Experiment experiment, List<String> wanted, List<Table> made, List<String> absent) {
    String names = String.join(", ", wanted);
    System.err.println("making " + names);
    try {
      for (Table table : experiment.run()) {
        if (wanted.contains(table.name())) {
          System.out.print(table.text());
          made.add(table);
        }
      }
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      System.err.println("not made: " + names + ": " + e.getMessage());
      absent.add(names + ": " + e.getMessage());
    }
  }

  private void requireKnown() {
    List<String> all = experiments.stream().flatMap(one -> one.tables().stream()).toList();
    for (String name : only) {
      if (all.stream().noneMatch(table -> matches(table, name))) {
        throw new ParameterException(
            spec.commandLine(),
            "--only: there is no table \"%s\"; there are %s"
                .formatted(name, String.join(", ", all)));
      }
    }
  }

  private boolean isWanted(String table) {
    return only.isEmpty() || only.stream().anyMatch(name -> matches(table, name));
  }

  /** Whether a table has this name or one that begins so: {@code alharby} has alharby-5. */
  private static boolean matches(String table, String name) {
    return (table + "-").startsWith(name + "-");
  }
}
