package dev.vigil.gateway.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Processes, their processor time and the speed of OpenSSL, for all measurements. */
public final class BenchSupport {
  private BenchSupport() {}

  /** A process of this class path with the launcher's options, ready at its port. */
  public record Server(Process process, BufferedReader lines, int port) implements AutoCloseable {
    /** A {@link MirrorServer} on a folder. */
    public static Server start(Path folder) throws IOException {
      return start(MirrorServer.class, folder);
    }

    public static Server start(Class<?> main, Path folder) throws IOException {
      return start(main, folder, List.of());
    }

    /**
     * @param options further options of the JVM
     */
    public static Server start(Class<?> main, Path folder, List<String> options)
        throws IOException {
      List<String> command = words("vigil.bench.java");
      command.addAll(options);
      command.addAll(
          List.of("-cp", System.getProperty("java.class.path"), main.getName(), folder.toString()));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader lines = process.inputReader();
      String port = lines.readLine();
      if (port == null) {
        throw new IOException(main.getSimpleName() + " did not start");
      }
      return new Server(process, lines, Integer.parseInt(port));
    }

    /** Octets allocated since the start. */
    public long allocated() throws IOException {
      process.outputWriter().write('\n');
      process.outputWriter().flush();
      return Long.parseLong(lines.readLine());
    }

    public Duration cpu() {
      return BenchSupport.cpu(process);
    }

    public void kill() {
      process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
      process.destroy();
      process.onExit().join();
      lines.close();
    }
  }

  /** A command that the launcher hands over, separated by line feeds. */
  public static List<String> words(String property) {
    return new ArrayList<>(Arrays.asList(System.getProperty(property, "").split("\n")));
  }

  public static Duration cpu(Process process) {
    return process.info().totalCpuDuration().orElseThrow();
  }

  public static double micros(Duration duration) {
    return duration.toNanos() / 1000.0;
  }

  public static void require(CoapLoad.Tally tally, String code, int count) {
    if (tally.count(code) < count) {
      throw new IllegalStateException("expected " + count + " times " + code + ": " + tally);
    }
  }

  /** ES256 verifications a second of processor time, by {@code openssl speed}. */
  public static double verifications() throws IOException {
    return speed("ecdsap256");
  }

  /** ES256 verifications a second of wall time, on this many processors at once. */
  public static double verificationsOn(int processors) throws IOException {
    return speed("-elapsed", "-multi", Integer.toString(processors), "ecdsap256");
  }

  private static double speed(String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl", "speed", "-seconds", "1"));
    command.addAll(List.of(options));
    Process speed =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String last;
    try (Stream<String> lines = speed.inputReader().lines()) {
      last = lines.filter(l -> l.contains("nistp256")).reduce("", (a, b) -> b);
    }
    String[] words = last.trim().split("\\s+");
    return Double.parseDouble(words[words.length - 1]);
  }

  /**
   * Starts a peer with nothing on its standard input; nobody reads its output. OpenSSL's server
   * ends a DTLS session, and serves the next, only at the end of its input.
   */
  public static Process peer(String... command) throws IOException {
    return new ProcessBuilder(command)
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  public static void stop(Process process) throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  /** Asks until the port answers; a port without a listener refuses at once. */
  public static void awaitAnswer(int port, Process server)
      throws IOException, InterruptedException {
    byte[] get = CoapLoad.message(1, CoapLoad.options(List.of(), -1, List.of()), new byte[0]);
    while (server.isAlive()) {
      try (CoapLoad load = new CoapLoad(port, 1)) {
        load.run(1, i -> get.clone());
        return;
      } catch (java.net.PortUnreachableException e) {
        Thread.sleep(2);
      }
    }
    throw new IOException(server.info().command().orElse("the server") + " ended");
  }

  /**
   * Octets of this process' heap that are in use. Collects garbage until the number no longer
   * falls, so that objects that threads and soft references hold for a moment do not count.
   */
  public static long heap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int unchanged = 0; unchanged < 3; unchanged++) {
      System.gc();
      Thread.sleep(100);
      long used = runtime.totalMemory() - runtime.freeMemory();
      if (used < least - least / 1000) {
        unchanged = -1;
      }
      least = Math.min(least, used);
    }
    return least;
  }

  public static int freePort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return socket.getLocalPort();
    }
  }

  public static void copy(Path folder, Path into) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.copy(file, into.resolve(file.getFileName()));
      }
    }
  }

  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
