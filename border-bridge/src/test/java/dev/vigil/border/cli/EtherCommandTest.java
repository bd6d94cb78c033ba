package dev.vigil.border.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ether.TestNode;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.storage.CounterFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class EtherCommandTest {
  private static final Eui64 FIRST = new Eui64(0x0002000200020002L);
  private static final Eui64 SECOND = new Eui64(0x0003000300030003L);
  private static final Eui64 THIRD = new Eui64(0x0004000400040004L);

  @TempDir Path folder;
  private final StringWriter err = new StringWriter();

  private CommandLine command(PrintWriter out) {
    CommandLine command = new CommandLine(new EtherCommand(System::nanoTime, new Random(1)));
    command.setOut(out);
    command.setErr(new PrintWriter(err));
    return command;
  }

  private int run(String... arguments) {
    return command(new PrintWriter(new StringWriter())).execute(arguments);
  }

  /** The part of a test that runs while an ether is running. */
  private interface Nodes {
    void play(int port) throws Exception;
  }

  private void onEther(Nodes nodes, String... arguments) throws Exception {
    PipedReader from = new PipedReader();
    CommandLine command = command(new PrintWriter(new PipedWriter(from)));
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread thread = Thread.startVirtualThread(() -> exit.complete(command.execute(arguments)));
    String ready = requireNonNull(new BufferedReader(from).readLine());
    assertThat(ready).matches("ready zep://127\\.0\\.0\\.1:[0-9]+");
    nodes.play(Integer.parseInt(ready.substring(ready.lastIndexOf(':') + 1)));
    thread.interrupt();
    thread.join();
    assertThat(exit).isCompleted();
  }

  private static byte[] frame(Eui64 from, int sequence) {
    byte[] payload = {0x7a, 0x3b, 0x3a};
    return Frame.data(sequence, 0xabcd, LinkAddress.BROADCAST, LinkAddress.of(from), false, payload)
        .encode();
  }

  @Test
  void nodesHearEachOtherWithoutAGateway() throws Exception {
    onEther(
        port -> {
          try (TestNode first = new TestNode("127.0.0.1", port, FIRST);
              TestNode second = new TestNode("127.0.0.1", port, SECOND)) {
            second.send(frame(SECOND, 1));
            assertThat(first.receive()).isEqualTo(frame(SECOND, 1));
          }
        },
        "--port",
        "0");
  }

  @Test
  void nodesHearEachOtherAsTheTopologyFileDefines() throws Exception {
    Path file = Files.writeString(folder.resolve("topology"), "1 > 2\n3 > 1\n");
    onEther(
        port -> {
          // Each node sends a hello when it is created and thereby gets its index.
          try (TestNode first = new TestNode("127.0.0.1", port, FIRST);
              TestNode second = new TestNode("127.0.0.1", port, SECOND);
              TestNode third = new TestNode("127.0.0.1", port, THIRD)) {
            second.send(frame(SECOND, 1));
            third.send(frame(THIRD, 2));
            assertThat(first.receive()).isEqualTo(frame(THIRD, 2));
            first.send(frame(FIRST, 3));
            assertThat(second.receive()).isEqualTo(frame(FIRST, 3));
          }
        },
        "--port",
        "0",
        "--topology",
        file.toString());
  }

  @Test
  void aGatewayJoinsTheEtherAsANode() throws Exception {
    onEther(
        port -> {
          BridgeConfig config = BridgeConfig.of(new RadioConfig.Zep("127.0.0.1", port));
          CounterFile counters = new CounterFile(folder.resolve("counters"));
          try (Bridge bridge =
                  new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(2));
              TestNode node = new TestNode("127.0.0.1", port, FIRST)) {
            bridge.start();
            Frame dio = Frame.parse(requireNonNull(node.receive(), "no DIO within 30 seconds"));
            assertThat(dio.source()).isEqualTo(LinkAddress.of(MeshConfig.DEFAULT_EUI64));
          }
        },
        "--port",
        "0");
  }

  @Test
  void endsAfterTheGivenTime() {
    assertThat(run("--port", "0", "--for", "0")).isZero();
    assertThat(err.toString()).contains("0 nodes, 0 packets refused");
  }

  @Test
  void aPortInUseIsReportedWithInstructions() throws IOException {
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      assertThat(run("--port", Integer.toString(taken.getLocalPort()))).isEqualTo(1);
      assertThat(err.toString())
          .contains("cannot open the ether at UDP port " + taken.getLocalPort())
          .contains("--port chooses another port");
    }
  }

  @Test
  void wrongArgumentsAreAUsageError() throws IOException {
    Path wrong = Files.writeString(folder.resolve("wrong"), "1 2\n1 2 3 4 5\n");
    assertThat(run("--topology", wrong.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(wrong + ": line 2: expected: a b [loss [delay]]");
    assertThat(run("--topology", folder.resolve("absent").toString())).isEqualTo(2);
    assertThat(run("--port", "70000")).isEqualTo(2);
  }
}
