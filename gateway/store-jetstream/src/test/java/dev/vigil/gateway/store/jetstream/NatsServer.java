package dev.vigil.gateway.store.jetstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One real nats-server on the loopback interface, which a test starts, kills and starts again. */
final class NatsServer implements AutoCloseable {
  private final Path folder;
  private final Path configuration;
  private final int port;
  private @Nullable Process process;

  /**
   * @param configuration what follows the line of the port
   */
  NatsServer(Path folder, int port, String configuration) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.port = port;
    this.configuration = folder.resolve("server.conf");
    Files.writeString(
        this.configuration, "listen: 127.0.0.1:%d\n%s".formatted(port, configuration));
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** The program, from the package of the Python peers or from the path. */
  static Optional<Path> program() {
    return Stream.concat(
            Stream.of(System.getProperty("vigil.nats-server", "")),
            Stream.of(System.getenv("PATH").split(":")).map(folder -> folder + "/nats-server"))
        .filter(name -> !name.isEmpty())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  String url() {
    return "nats://127.0.0.1:" + port;
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(program().orElseThrow().toString(), "--config", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("server.log").toFile()))
            .start();
  }

  /** Kills the process without a chance to write anything. */
  void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      try {
        running.waitFor(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    kill();
  }
}
