package dev.vigil.gateway.evaluate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds and runs programs of the mote firmware; each once, when the first table asks for it. */
final class EmulatedMotes {
  private static final String IMAGES = "build/cortex-m/";

  /** Of a processor at 16 MHz that takes a cycle an instruction. */
  static final double INSTRUCTIONS_PER_MILLI = 16_000;

  private final Path folder;
  private final Map<Processor, Map<String, Double>> operations = new EnumMap<>(Processor.class);
  private @Nullable Map<String, List<Double>> wakeUps;
  private final Set<String> made = new HashSet<>();
  private boolean built;

  /**
   * @param folder of the mote firmware
   */
  EmulatedMotes(Path folder) {
    this.folder = folder;
  }

  /**
   * The instructions that an operation takes on the emulated Cortex-M3.
   *
   * @param kind {@code cipher}, {@code ipsec}, {@code frame} or {@code block-store}; for octets
   *     instead of instructions {@code flash} or {@code ram}
   * @param driver {@code constant-time}, {@code table-based} or {@code hardware}, and what
   *     associations cache
   */
  double instructions(String kind, String driver, String what, int size)
      throws IOException, InterruptedException {
    return cost(Processor.CORTEX_M3, kind, driver, what, size);
  }

  /** As {@link #instructions}, in instructions or cycles of a processor. */
  double cost(Processor processor, String kind, String driver, String what, int size)
      throws IOException, InterruptedException {
    Map<String, Double> known = operations.get(processor);
    if (known == null) {
      known = measured(processor);
      operations.put(processor, known);
    }
    return value(known, String.join("\t", kind, driver, what, Integer.toString(size)));
  }

  private Map<String, Double> measured(Processor processor)
      throws IOException, InterruptedException {
    if (processor == Processor.CORTEX_M3) {
      build();
    } else {
      // Prints the reason if a tool is missing.
      run(List.of(processor.port + "/have.sh", "build"));
    }
    System.err.println("measuring operations on the " + processor.label);
    Map<String, Double> measured = new HashMap<>();
    for (String image : processor.images()) {
      make(image);
      for (String line : run(List.of(processor.port + "/run.sh", image))) {
        int end = line.lastIndexOf('\t');
        if (end < 0) {
          throw new IOException(image + ": " + line);
        }
        measured.put(line.substring(0, end), Double.parseDouble(line.substring(end + 1)));
      }
    }
    return measured;
  }

  /**
   * The processor's time for an echo under AH or ESP with XCBC: opening the request and sealing the
   * answer.
   *
   * @param driver as for {@link #instructions}
   * @return milliseconds
   */
  double cipherMillis(Processor processor, String driver, String protection, int size)
      throws IOException, InterruptedException {
    double open = cost(processor, "ipsec", driver, protection + " open", size);
    double seal = cost(processor, "ipsec", driver, protection + " seal", size);
    return processor.millis(open + seal);
  }

  /** The fields of a line of bench.elf behind its name, for instance of a wake-up. */
  List<Double> wakeUp(String name) throws IOException, InterruptedException {
    Map<String, List<Double>> known = wakeUps;
    if (known == null) {
      known = new HashMap<>();
      build();
      System.err.println("counting instructions of signatures and wake-ups");
      for (String line : emulate("bench.elf")) {
        List<String> fields = List.of(line.split("\t"));
        known.put(fields.getFirst(), fields.stream().skip(1).map(Double::parseDouble).toList());
      }
      wakeUps = known;
    }
    return value(known, name);
  }

  /** Flash of an image: code, constants and initial values. */
  int flash(String image) throws IOException, InterruptedException {
    return size(image, List.of(".text", ".ARM.exidx", ".init_array", ".data"));
  }

  /** Static RAM of an image. */
  int ram(String image) throws IOException, InterruptedException {
    return size(image, List.of(".data", ".bss"));
  }

  private int size(String image, List<String> sections) throws IOException, InterruptedException {
    build();
    int sum = 0;
    for (String line : run(List.of("arm-none-eabi-size", "-A", IMAGES + image + ".elf"))) {
      String[] fields = line.trim().split("\\s+");
      if (sections.contains(fields[0])) {
        sum += Integer.parseInt(fields[1]);
      }
    }
    return sum;
  }

  /** Builds a target once. */
  void make(String target) throws IOException, InterruptedException {
    if (made.add(target)) {
      run(List.of("make", "-s", target));
    }
  }

  /** The lines "name, value" that an image of some other target prints. */
  Map<String, Double> printed(String image) throws IOException, InterruptedException {
    Map<String, Double> values = new HashMap<>();
    for (String line : emulate(image + ".elf")) {
      String[] field = line.split("\t");
      if (field.length < 2) {
        throw new IOException(image + ": " + line);
      }
      values.put(field[0], Double.parseDouble(field[1]));
    }
    return values;
  }

  /** The output of a program for this machine that a make target builds. */
  List<String> host(String target, String... arguments) throws IOException, InterruptedException {
    make(target);
    List<String> command = new ArrayList<>(List.of("./" + target));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private void build() throws IOException, InterruptedException {
    if (!built) {
      System.err.println("building images for the Cortex-M3 (a minute the first time)");
      run(List.of("make", "-s", "evaluate-images"));
      built = true;
    }
  }

  private List<String> emulate(String image) throws IOException, InterruptedException {
    return run(List.of("ports/cortex-m/run.sh", IMAGES + image));
  }

  private static <T> T value(Map<String, T> known, String name) throws IOException {
    T value = known.get(name);
    if (value == null) {
      throw new IOException("the image printed no line " + name.replace('\t', ' '));
    }
    return value;
  }

  private List<String> run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    List<String> lines = process.inputReader().readAllLines();
    if (process.waitFor() != 0) {
      throw new IOException(
          String.join(" ", command) + ": " + (lines.isEmpty() ? "failed" : lines.getLast()));
    }
    return lines;
  }
}
