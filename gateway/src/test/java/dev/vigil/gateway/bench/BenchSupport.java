package dev.vigil.gateway.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What all measurements need: processes, their processor time, and the reference. */
final class BenchSupport {
  private static final int SECONDS = 3;

  private BenchSupport() {}

  /** A {@link MirrorServer} on a folder, ready at its port. */
  record Server(Process process, BufferedReader lines, int port) implements AutoCloseable {
    static Server start(Path folder) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx1g",
                  "-XX:+UseSerialGC",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  MirrorServer.class.getName(),
                  folder.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      BufferedReader lines = process.inputReader();
      return new Server(process, lines, Integer.parseInt(lines.readLine()));
    }

    /** Octets allocated since the start. */
    long allocated() throws IOException {
      process.outputWriter().write('\n');
      process.outputWriter().flush();
      return Long.parseLong(lines.readLine());
    }

    Duration cpu() {
      return BenchSupport.cpu(process);
    }

    void kill() {
      process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
      process.destroy();
      process.onExit().join();
      lines.close();
    }
  }

  static Duration cpu(Process process) {
    return process.info().totalCpuDuration().orElseThrow();
  }

  static double micros(Duration duration) {
    return duration.toNanos() / 1000.0;
  }

  static void require(CoapLoad.Tally tally, String code, int count) {
    if (tally.count(code) < count) {
      throw new IllegalStateException("expected " + count + " times " + code + ": " + tally);
    }
  }

  static <T> double median(List<T> runs, ToDoubleFunction<T> figure) {
    double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /**
   * ES256 verifications a second, as {@code openssl speed} measures them.
   *
   * @param processes at a time
   */
  static double verifications(int processes) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("openssl", "speed", "-seconds", Integer.toString(SECONDS)));
    if (processes > 1) {
      command.addAll(List.of("-multi", Integer.toString(processes)));
    }
    command.add("ecdsap256");
    Process speed =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String last;
    try (Stream<String> lines = speed.inputReader().lines()) {
      last = lines.filter(l -> l.contains("nistp256")).reduce("", (a, b) -> b);
    }
    String[] words = last.trim().split("\\s+");
    return Double.parseDouble(words[words.length - 1]);
  }

  static int freePort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** What the machine does besides, for the record. */
  static String load() throws IOException {
    return "load " + Files.readString(Path.of("/proc/loadavg")).trim();
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
