package dev.vigil.gateway.bench;

import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.GatewayServer;
import dev.vigil.gateway.bench.load.ThreadTimes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Processor time of full DTLS 1.2 handshakes, with a cookie exchange, of the gateway and of {@code
 * openssl s_server}. The client of both is {@code openssl s_client}, one process each.
 */
final class HandshakeBench implements Benchmark {
  private static final int WARM_UP_TURN = 250;
  private static final String KEY = "00112233445566778899aabbccddeeff";

  @Override
  public List<Target> targets() {
    return List.of(Target.HANDSHAKE_PSK, Target.HANDSHAKE_ECDHE);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    Path folder = Files.createTempDirectory("vigil-bench");
    try {
      Path settings = certificate(folder);
      try (GatewayServer gateway =
          GatewayServer.start(
              folder, "--config", settings.toString(), "--coap-port", "0", "--coaps-port", "0")) {
        int secure = gateway.port("coaps");
        int port = BenchSupport.freePort();
        Process peer = server(folder, port);
        try {
          Handshakes ours = new Handshakes(secure, gateway.process());
          Handshakes theirs = new Handshakes(port, peer);
          List<Figure> figures = new ArrayList<>();
          for (Target target : wanted) {
            List<String> client = client(target);
            Effort.warmUp(
                target.label,
                gateway.process(),
                effort.of(32, 6),
                () -> ours.take(client, WARM_UP_TURN));
            int count = effort.of(200, 25);
            figures.add(
                effort.pairs(
                    target,
                    effort.of(9, 3),
                    () -> ours.take(client, count),
                    () -> theirs.take(client, count)));
          }
          return figures;
        } finally {
          BenchSupport.stop(peer);
        }
      }
    } finally {
      BenchSupport.delete(folder);
    }
  }

  private static List<String> client(Target target) {
    return target == Target.HANDSHAKE_PSK
        ? List.of("-cipher", "PSK-AES128-CCM", "-psk_identity", "bench", "-psk", KEY)
        : List.of("-cipher", "ECDHE-ECDSA-AES128-CCM");
  }

  /** A certificate for both servers, and the gateway's settings. */
  private static Path certificate(Path folder) throws Exception {
    Path key = folder.resolve("key.pem");
    Path chain = folder.resolve("cert.pem");
    run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-keyout",
        key.toString(),
        "-out",
        chain.toString());
    Files.setPosixFilePermissions(
        key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    return Files.writeString(
        folder.resolve("settings.yaml"),
        """
        vigil:
          coap:
            addresses: [localhost]
            dtls:
              psk: {bench: "hex:%s"}
              certificate: %s
              key: %s
              # Without one the gateway wants a raw public key of clients, which OpenSSL 3.0 has not.
              client-ca: %s
        """
            .formatted(KEY, chain, key, chain));
  }

  private static Process server(Path folder, int port) throws IOException {
    return BenchSupport.peer(
        "openssl",
        "s_server",
        "-dtls1_2",
        "-listen",
        "-quiet",
        "-accept",
        "127.0.0.1:" + port,
        "-cipher",
        "PSK-AES128-CCM:ECDHE-ECDSA-AES128-CCM",
        "-psk",
        KEY,
        "-cert",
        folder.resolve("cert.pem").toString(),
        "-key",
        folder.resolve("key.pem").toString());
  }

  private record Handshakes(int port, Process server) {
    /** Microseconds of CPU for each handshake. */
    double take(List<String> client, int count) throws IOException, InterruptedException {
      List<String> command =
          new ArrayList<>(
              List.of("openssl", "s_client", "-dtls1_2", "-connect", "127.0.0.1:" + port));
      command.addAll(client);
      ThreadTimes before = ThreadTimes.of(server);
      for (int i = 0; i < count; i++) {
        shakeHands(command, client.get(1));
      }
      return ThreadTimes.of(server).microsSince(before) / count;
    }
  }

  /**
   * Kills the client after the handshake: an orderly end would wait half a second for the server.
   */
  private static void shakeHands(List<String> command, String cipher)
      throws IOException, InterruptedException {
    Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> output = new ArrayList<>();
    try (BufferedReader lines = client.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.endsWith("Cipher is " + cipher)) {
          return;
        }
        output.add(line);
      }
      throw new IOException("failed: " + String.join(" ", command) + ": " + output);
    } finally {
      client.destroyForcibly().waitFor();
    }
  }

  /** Runs a command to its end, with nothing on its standard input. */
  private static void run(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("vigil-bench", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(
            "failed: " + String.join(" ", command) + ": " + Files.readString(output).strip());
      }
    } finally {
      Files.delete(output);
    }
  }
}
