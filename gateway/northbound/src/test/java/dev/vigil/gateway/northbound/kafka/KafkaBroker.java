package dev.vigil.gateway.northbound.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An unmodified Kafka broker in its own process, on the same ports of 127.0.0.1 after each start.
 * One listener is open for observers; the other requires TLS and SCRAM-SHA-512.
 */
final class KafkaBroker {
  private static final int FIRST_PORT = 19_000;
  private static final int PORTS = 900;
  static final String USER = "vigil";
  static final String PASSWORD = "a \"quoted\" pass\\word";
  private static final long PATIENCE_SECONDS = 120;

  private final Path folder;
  private final Path authority;
  private final List<Integer> ports;
  private @Nullable Process process;

  /** Creates the keys and formats the storage. */
  KafkaBroker(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    this.authority = folder.resolve("authority.pem");
    this.ports = freePorts(3);
    makeCertificate();
    Files.writeString(folder.resolve("server.properties"), configuration());
    run(
        java(
            "kafka.tools.StorageTool",
            "format",
            "--cluster-id",
            "tGSTyZtnSVSFRIAfOvUbzQ",
            "--config",
            folder.resolve("server.properties").toString(),
            "--add-scram",
            "SCRAM-SHA-512=[name=%s,password=%s]".formatted(USER, PASSWORD)));
  }

  /** Address of the listener without TLS and passwords. */
  String open() {
    return "127.0.0.1:" + ports.get(0);
  }

  /** Address of the listener with TLS and SCRAM-SHA-512. */
  String secured() {
    return "127.0.0.1:" + ports.get(1);
  }

  /** The PEM file with the certificate of {@link #secured}. */
  Path authority() {
    return authority;
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(java("kafka.Kafka", folder.resolve("server.properties").toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("broker.log").toFile())
            .start();
  }

  /** Kills the broker without warning, like {@code kill -9}. */
  void kill() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().waitFor();
    }
  }

  private String configuration() {
    return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%3$d
        controller.listener.names=CONTROLLER
        listeners=OPEN://127.0.0.1:%1$d,SECURED://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
        advertised.listeners=OPEN://127.0.0.1:%1$d,SECURED://127.0.0.1:%2$d
        listener.security.protocol.map=OPEN:PLAINTEXT,SECURED:SASL_SSL,CONTROLLER:PLAINTEXT
        inter.broker.listener.name=OPEN
        sasl.enabled.mechanisms=SCRAM-SHA-512
        listener.name.secured.scram-sha-512.sasl.jaas.config=\
        org.apache.kafka.common.security.scram.ScramLoginModule required;
        ssl.keystore.type=PKCS12
        ssl.keystore.location=%4$s
        ssl.keystore.password=only-for-tests
        ssl.key.password=only-for-tests
        log.dirs=%5$s
        num.partitions=3
        broker.session.timeout.ms=2000
        broker.heartbeat.interval.ms=500
        """
        .formatted(
            ports.get(0),
            ports.get(1),
            ports.get(2),
            folder.resolve("keys.p12"),
            folder.resolve("data"));
  }

  private void makeCertificate() throws IOException, InterruptedException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> keys =
        List.of("-keystore", folder.resolve("keys.p12").toString(), "-storepass", "only-for-tests");
    List<String> generate = new ArrayList<>(List.of(keytool, "-genkeypair"));
    generate.addAll(keys);
    generate.addAll(
        List.of(
            "-alias",
            "broker",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=broker",
            "-ext",
            "san=ip:127.0.0.1"));
    run(generate);
    List<String> export = new ArrayList<>(List.of(keytool, "-exportcert", "-rfc"));
    export.addAll(keys);
    export.addAll(List.of("-alias", "broker", "-file", authority.toString()));
    run(export);
  }

  private static List<String> java(String main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(List.of(arguments));
    return command;
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    Path output = folder.resolve("output.log");
    Process child =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!child.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || child.exitValue() != 0) {
      child.destroyForcibly();
      throw new IllegalStateException(Files.readString(output));
    }
  }

  /**
   * Ports below those that the system chooses, so that no other socket takes one while the broker
   * does not run.
   */
  private static List<Integer> freePorts(int number) {
    List<Integer> free = new ArrayList<>();
    int port = FIRST_PORT + Math.floorMod(ProcessHandle.current().pid(), PORTS);
    for (; free.size() < number; port++) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        free.add(socket.getLocalPort());
      } catch (IOException e) {
        // Another program uses it.
      }
    }
    return free;
  }
}
