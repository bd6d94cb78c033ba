package dev.vigil.gateway.launch;

import dev.vigil.gateway.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The gateway in its own process, as an operator starts it. */
final class GatewayProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Path err;
  private List<String> addresses = List.of();

  private GatewayProcess(Process process, Path err) {
    this.process = process;
    this.out = process.inputReader();
    this.err = err;
  }

  /**
   * @param folder working folder
   */
  static GatewayProcess start(Path folder, String... arguments) throws IOException {
    Path err = folder.resolve("err");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dspring.aot.enabled=true",
            // The class path also has logback-test.xml, which would take precedence.
            "-Dlogging.config=classpath:logback-spring.xml",
            "-cp",
            System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile());
    builder.redirectError(err.toFile());
    return new GatewayProcess(builder.start(), err);
  }

  /** Waits for the ready line; fails with the output when there is none. */
  GatewayProcess ready() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("ready ")) {
        addresses = List.of(line.split(" ")).subList(1, line.split(" ").length);
        return this;
      }
      lines.add(line);
    }
    throw new AssertionError("not ready: " + lines + " " + Files.readString(err));
  }

  String address(String start) {
    return addresses.stream()
        .filter(address -> address.startsWith(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + start + " in " + addresses));
  }

  void killNine() {
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    killNine();
  }
}
