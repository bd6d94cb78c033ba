package dev.vigil.gateway.evaluate;

import dev.vigil.gateway.evaluate.tables.EvaluationReport;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** All experiments of {@code ./vigil evaluate}; they run one after the other. */
public final class Experiments {
  private final List<Experiment> experiments;

  /**
   * @param firmware the folder of the motes' sources
   */
  public Experiments(Path firmware) {
    EmulatedMotes motes = new EmulatedMotes(firmware);
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
            new TheirProcessors(motes),
            new Alharby(),
            new AlharbyRadio(motes),
            new Sethi());
  }

  /** The names of all tables. */
  public List<String> tables() {
    return experiments.stream().flatMap(one -> one.tables().stream()).toList();
  }

  /**
   * Prints the wanted tables, and writes the report.
   *
   * @param quick only what needs no emulator
   * @param strict whether each condition must hold
   * @param output the folder of the report
   * @return false if some tables could not be made, or a condition that must hold does not
   */
  public boolean make(Predicate<String> wanted, boolean quick, boolean strict, Path output)
      throws IOException {
    List<Table> made = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (Experiment experiment : experiments) {
      List<String> here = experiment.tables().stream().filter(wanted).toList();
      if (!here.isEmpty() && (experiment.isQuick() || !quick)) {
        make(experiment, here, made, absent);
      }
    }
    EvaluationReport report = new EvaluationReport(made, absent);
    report.write(output);
    System.err.println(
        "%d tables, %d conditions do not hold; %s"
            .formatted(made.size(), report.notMet(), output.resolve("evaluation.md")));
    return absent.isEmpty() && !(strict && report.notMet() > 0);
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
}
