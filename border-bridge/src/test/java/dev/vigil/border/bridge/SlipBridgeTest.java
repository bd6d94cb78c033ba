package dev.vigil.border.bridge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Tshark;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.link.RadioStatus;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.coap.Token;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.config.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bridge on a slip-radio's line. The test plays the other end from recordings of unmodified
 * Contiki-NG. It sends the recorded motes' frames and expects the recorded root's packets.
 */
class SlipBridgeTest {
  private static final String RADIO = "0001000100010001";

  @TempDir Path folder;
  private ScriptedRadio radio;
  private Bridge bridge;
  private final LowpanCodec codec = new LowpanCodec(Contexts.mesh(MeshConfig.DEFAULT_PREFIX), 1);

  @BeforeEach
  void start() throws Exception {
    radio = new ScriptedRadio(Hex.parse(RADIO));
    start(new RadioConfig.Tcp("127.0.0.1", radio.port()));
  }

  private void start(RadioConfig line) throws Exception {
    BridgeConfig config =
        BridgeConfig.of(line)
            .withMesh(MeshConfig.DEFAULT.withEui64(Eui64.parse(RADIO)))
            .withCapture(folder.resolve("line.pcapng"));
    CounterFile counters = new CounterFile(folder.resolve("counters"));
    bridge = new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(1));
    bridge.start();
    assertThat(Hex.format(requireNonNull(radio.commands.poll(30, TimeUnit.SECONDS))))
        .as("the channel is set")
        .isEqualTo("21560001001a");
    assertThat(Hex.format(requireNonNull(radio.commands.poll(30, TimeUnit.SECONDS))))
        .as("and the PAN id")
        .isEqualTo("21560002abcd");
  }

  @AfterEach
  void stop() throws IOException {
    bridge.close();
    radio.close();
  }

  /** The next IPv6 packet that the bridge sends to one node. */
  private String nextUnicast() throws Exception {
    while (true) {
      Frame frame = Frame.parse(radio.nextSent());
      Optional<Datagram> datagram =
          codec.accept(frame.payload(), frame.source(), frame.destination(), 0);
      if (datagram.isPresent() && !frame.destination().isBroadcast()) {
        return Hex.format(datagram.get().ipv6());
      }
    }
  }

  private static boolean isUnicastPacket(SlipScript.Line line) {
    byte[] ipv6 = line.ipv6();
    return ipv6 != null && (ipv6[24] & 0xff) != 0xff;
  }

  /** The recorded packet. Its root elided eight octets of source routes; ours elides all it can. */
  private static String expected(SlipScript.Line line) throws WireException {
    Ipv6Packet packet = Ipv6Packet.parse(requireNonNull(line.ipv6()));
    List<ExtensionHeader> headers = new ArrayList<>();
    for (ExtensionHeader header : packet.extensions()) {
      headers.add(
          header instanceof ExtensionHeader.Routing routing
              ? SourceRoute.through(
                      packet.destination(),
                      SourceRoute.parse(routing, packet.destination()).addresses())
                  .header()
              : header);
    }
    return Hex.format(packet.withExtensions(headers).encode());
  }

  /** Plays the motes' frames; each unicast answer of the recorded root must be sent too. */
  private void replay(String file) throws Exception {
    for (SlipScript.Line line : SlipScript.of(file)) {
      if (line.fromRadio() && line.frame()[0] != '!') {
        radio.play(line.frame());
      } else if (!line.fromRadio() && isUnicastPacket(line)) {
        assertThat(nextUnicast()).isEqualTo(expected(line));
      }
    }
  }

  @Test
  void formsTheRecordedNetworkWithTheRecordedAcknowledgements() throws Exception {
    replay("forming.txt");
    BridgeTest.await(() -> bridge.topology().size() == 3);
    assertThat(bridge.topology()).extracting(RplNode::hops).containsExactly(1, 2, 3);
    assertThat(bridge.neighbours()).singleElement().extracting(Neighbour::lqi).isEqualTo(-1);
  }

  @Test
  void aCoapRequestOverThreeHopsIsTheRecordedOne() throws Exception {
    replay("forming.txt");
    List<SlipScript.Line> script = new ArrayList<>(SlipScript.of("coap.txt"));
    SlipScript.Line request = script.removeFirst();
    SlipScript.Line answer =
        script.stream().filter(line -> line.ipv6() != null).findFirst().orElseThrow();

    CoapEndpoint endpoint =
        CoapEndpoint.builder()
            .setConfiguration(Configuration.createStandardWithoutFile())
            .setConnector(bridge.connector(61_618))
            .build();
    endpoint.start();
    Request get = Request.newGet();
    get.setURI("coap://[fd00::204:4:4:4]/test/hello");
    get.setMID(0x1a01);
    get.setToken(new Token(new byte[] {1}));
    endpoint.sendRequest(get);
    assertThat(nextUnicast()).isEqualTo(expected(request));
    radio.play(answer.frame());
    Response response = get.waitForResponse(30_000);
    endpoint.destroy();
    assertThat(response.getPayloadString()).isEqualTo("Hello World!");

    List<String> decoded =
        Tshark.fields(
            folder.resolve("line.pcapng"),
            "frame.interface_name",
            "coap.code",
            "icmpv6.code",
            "_ws.malformed",
            "_ws.expert.message");
    assertThat(decoded).noneMatch(line -> line.contains("alformed"));
    assertThat(decoded).anyMatch(line -> line.startsWith("802.15.4\t1\t"));
    assertThat(decoded).anyMatch(line -> line.startsWith("802.15.4\t69\t"));
    assertThat(decoded).anyMatch(line -> line.startsWith("IPv6\t69\t"));
  }

  @Test
  void speaksToARadioAtASerialPort() throws Exception {
    bridge.close();
    Process terminal =
        new ProcessBuilder(
                "python3", "src/test/resources/pty_to_tcp.py", Integer.toString(radio.port()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String device = terminal.inputReader().readLine();
      start(new RadioConfig.Serial(device, 115_200));
      replay("forming.txt");
      assertThat(bridge.radios())
          .singleElement()
          .returns("serial:" + device, RadioStatus::name)
          .returns(true, RadioStatus::up)
          .returns(Eui64.parse(RADIO), RadioStatus::eui64);
    } finally {
      terminal.destroy();
      terminal.waitFor();
    }
  }

  @Test
  void reconnectsAfterTheCableWasPulled() throws Exception {
    radio.pull();
    assertThat(radio.commands.poll(30, TimeUnit.SECONDS)).isNotNull();
    assertThat(radio.connections.get()).isEqualTo(2);
    replay("forming.txt");
  }

  @Test
  void aNodeThatDoesNotAcknowledgeIsCounted() throws Exception {
    replay("forming.txt");
    radio.status = 2;
    bridge.udp().send(5683, Ipv6Address.parse("fd00::202:2:2:2"), 5683, new byte[3], error -> {});
    nextUnicast();
    BridgeTest.await(
        () ->
            // There may be several, if answers to the recording are still in the paced queue.
            bridge.drops().getOrDefault("tx_no_ack", 0L) >= 1
                && bridge.neighbours().getFirst().statistics().failed() >= 1
                && bridge.neighbours().getFirst().statistics().drops().containsKey("tx_no_ack"));
  }
}
