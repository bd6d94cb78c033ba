package dev.vigil.border.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.slip.Slip;
import dev.vigil.border.slip.SlipDecoder;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.Hex;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bridge as a host behind a board with rpl-border-router. The test plays the board over TCP.
 */
class TunslipBridgeTest {
  private static final byte[] ASK = "?M".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;
  private ServerSocket server;
  private Socket board;
  private Bridge bridge;
  private final SlipDecoder decoder = new SlipDecoder(2_048);
  private final Deque<byte[]> frames = new ArrayDeque<>();

  @BeforeEach
  void start() throws Exception {
    server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    server.setSoTimeout(30_000);
    RadioConfig line = new RadioConfig.Tcp("127.0.0.1", server.getLocalPort());
    BridgeConfig config = BridgeConfig.of(new RadioConfig.Tunslip6(line));
    CounterFile counters = new CounterFile(folder.resolve("counters"));
    bridge = new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(1));
    bridge.start();
    board = server.accept();
    board.setSoTimeout(30_000);
  }

  @AfterEach
  void stop() throws Exception {
    bridge.close();
    board.close();
    server.close();
  }

  private byte[] next() throws Exception {
    InputStream in = board.getInputStream();
    byte[] buffer = new byte[2_048];
    while (frames.isEmpty()) {
      int length = in.read(buffer);
      assertThat(length).isPositive();
      frames.addAll(decoder.feed(buffer, length));
    }
    return frames.removeFirst();
  }

  /** The next frame other than a question for the address, which is repeated without an answer. */
  private byte[] nextOther() throws Exception {
    byte[] frame = next();
    while (Arrays.equals(frame, ASK)) {
      frame = next();
    }
    return frame;
  }

  private Ipv6Packet nextPacket() throws Exception {
    return Ipv6Packet.parse(nextOther());
  }

  private void say(byte[] frame) throws Exception {
    board.getOutputStream().write(Slip.encode(frame));
  }

  @Test
  void asksForTheBoardsAddressAndSendsThePrefix() throws Exception {
    assertThat(next()).isEqualTo(ASK);
    say("!M0002000200020002".getBytes(StandardCharsets.US_ASCII));
    say("\rlog line\n".getBytes(StandardCharsets.US_ASCII));
    say("?P".getBytes(StandardCharsets.US_ASCII));
    assertThat(Hex.format(nextOther())).isEqualTo("2150fd00000000000000");
  }

  @Test
  void carriesWholePacketsBothWays() throws Exception {
    Ipv6Address mote = Ipv6Address.parse("fd00::203:3:3:3");
    byte[] ping =
        new Icmpv6(Icmpv6.ECHO_REQUEST, 0, new byte[600]).encode(mote, bridge.udp().address());
    say(Ipv6Packet.of(mote, bridge.udp().address(), 62, Protocol.ICMPV6, ping).encode());
    Ipv6Packet reply = nextPacket();
    assertThat(reply.destination()).isEqualTo(mote);
    assertThat(Icmpv6.parse(reply.payload(), reply.source(), mote).type())
        .isEqualTo(Icmpv6.ECHO_REPLY);

    bridge.udp().send(5683, mote, 5683, new byte[] {1, 2}, error -> {});
    Ipv6Packet packet = nextPacket();
    assertThat(Udp.parse(packet.payload(), packet.source(), mote).payload()).containsExactly(1, 2);
  }

  @Test
  void malformedFramesAreCountedAndTheNextPacketAnswered() throws Exception {
    Random random = new Random(4);
    for (int i = 0; i < 500; i++) {
      byte[] frame = new byte[1 + random.nextInt(100)];
      random.nextBytes(frame);
      frame[0] = i % 2 == 0 ? 0x60 : frame[0];
      say(frame);
    }
    BridgeTest.await(() -> bridge.drops().values().stream().mapToLong(n -> n).sum() > 300);
    carriesWholePacketsBothWays();
  }
}
