package dev.vigil.gateway.bench.load;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Three NATS servers on loopback whose configuration is that of the guide. */
public final class NatsServers implements AutoCloseable {
  private static final int SERVERS = 3;

  private final Path folder;
  private final List<Integer> ports;
  private final List<Process> servers = new ArrayList<>();

  /**
   * @param folder for the servers' data, on the disk of the gateways
   */
  public NatsServers(Path folder) throws IOException {
    this.folder = folder;
    ports = freePorts(2 * SERVERS);
    String routes =
        ports.subList(SERVERS, 2 * SERVERS).stream()
            .map(port -> "nats://127.0.0.1:" + port)
            .collect(Collectors.joining(", "));
    try {
      for (int i = 0; i < SERVERS; i++) {
        servers.add(start(i, routes));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private Process start(int number, String routes) throws IOException {
    Path data = Files.createDirectories(folder.resolve("n" + number));
    Path configuration = folder.resolve("n" + number + ".conf");
    Files.writeString(
        configuration,
        """
        listen: "127.0.0.1:%d"
        server_name: n%d
        jetstream { store_dir: "%s", sync_interval: always }
        cluster { name: bench, listen: "127.0.0.1:%d", routes: [%s] }
        """
            .formatted(ports.get(number), number, data, ports.get(SERVERS + number), routes));
    return BenchSupport.peer(
        System.getProperty("vigil.bench.nats-server", "nats-server"),
        "--config",
        configuration.toString());
  }

  /** Sockets that are open at the same time have different ports. */
  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** The option of a {@link MirrorServer} that uses this cluster. */
  public String option() {
    return ports.subList(0, SERVERS).stream()
        .map(port -> "nats://127.0.0.1:" + port)
        .collect(Collectors.joining(",", "-D" + MirrorServer.CLUSTER + "=", ""));
  }

  /** Octets on the disk of one server; each has all messages. */
  public long octets() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("n0"))) {
      return files.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
    }
  }

  /** Processor time of all servers. */
  public Duration cpu() {
    return servers.stream().map(BenchSupport::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    for (Process server : servers) {
      server.destroyForcibly().onExit().join();
    }
  }
}
