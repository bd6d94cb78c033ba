package dev.vigil.border;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agreement with scapy, an independent implementation, in both directions. */
class ScapyCodecTest {
  private static final String PYTHON =
      Objects.requireNonNullElse(System.getenv("VIGIL_PYTHON"), "python3");

  private static final Path SCRIPT = Path.of("src/test/python/scapy_codec.py");
  private static final Eui64 SENDER = new Eui64(0x0002000200020002L);
  private static final Eui64 RECEIVER = new Eui64(0x0001000100010001L);

  @TempDir static Path folder;

  @BeforeAll
  static void scapyIsThere() throws IOException, InterruptedException {
    String reason = "skipped: '" + PYTHON + "' (VIGIL_PYTHON) has no scapy";
    boolean there = run(List.of(PYTHON, "-c", "import scapy.all"), "").exit() == 0;
    if (!there) {
      System.out.println("ScapyCodecTest " + reason);
    }
    assumeTrue(there, reason);
  }

  @Test
  void readsPacketsThatScapyBuilds() throws IOException, InterruptedException, WireException {
    LowpanCodec codec = new LowpanCodec(Contexts.NONE, 0);
    Run run = run(List.of(PYTHON, SCRIPT.toString(), "build"), "");
    assertThat(run.exit()).as(run.output()).isZero();
    int packets = 0;
    for (String line : run.output().lines().toList()) {
      String[] words = line.split(" ");
      byte[] octets = Hex.parse(words[0]);
      Frame frame = Frame.parse(Fcs.strip(octets));
      assertThat(Fcs.append(frame.encode())).isEqualTo(octets);
      Optional<Datagram> datagram =
          codec.accept(frame.payload(), frame.source(), frame.destination(), 0);
      String ipv6 = datagram.map(whole -> Hex.format(whole.ipv6())).orElse("-");
      assertThat(ipv6).as(words[0]).isEqualTo(words[1]);
      packets += datagram.isPresent() ? 1 : 0;
    }
    assertThat(packets).isEqualTo(401);
  }

  @Test
  void scapyReadsPacketsThatWeBuild() throws IOException, InterruptedException, WireException {
    LowpanCodec codec = new LowpanCodec(Contexts.NONE, 0);
    Random random = new Random(802154);
    List<String> frames = new ArrayList<>();
    List<String> packets = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] ipv6 = packet(random).encode();
      List<byte[]> payloads =
          codec.encode(ipv6, LinkAddress.of(SENDER), LinkAddress.of(RECEIVER), 104, NhcSupport.UDP);
      Frame frame =
          Frame.data(
              i, 0xabcd, LinkAddress.of(RECEIVER), LinkAddress.of(SENDER), true, payloads.get(0));
      frames.add(Hex.format(Fcs.append(frame.encode())));
      packets.add(Hex.format(ipv6));
    }
    Run run = run(List.of(PYTHON, SCRIPT.toString(), "read"), String.join("\n", frames));
    assertThat(run.exit()).as(run.output()).isZero();
    List<String> read = run.output().lines().toList();
    assertThat(read).hasSameSizeAs(packets);
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.get(i)).as(frames.get(i)).isEqualTo(packets.get(i));
    }
  }

  private static Ipv6Packet packet(Random random) throws WireException {
    Ipv6Address source =
        pick(
            random,
            Ipv6Address.linkLocal(SENDER.interfaceId()),
            Ipv6Address.linkLocal(0xff_fe00_1234L),
            Ipv6Address.linkLocal(random.nextLong()),
            Ipv6Address.parse("2001:db8::1"));
    Ipv6Address destination =
        pick(
            random,
            Ipv6Address.linkLocal(RECEIVER.interfaceId()),
            Ipv6Address.linkLocal(0xff_fe00_4321L),
            Ipv6Address.parse("fd00::2"),
            Ipv6Address.ALL_RPL_NODES,
            Ipv6Address.parse("ff05::1:2"),
            Ipv6Address.parse("ff0e::1:2345:6789"));
    int hopLimit = pick(random, 1, 64, 255, random.nextInt(256));
    byte[] content = new byte[1 + random.nextInt(20)];
    random.nextBytes(content);
    // scapy misreads a payload that begins like a compressed header.
    content[0] = 0;
    if (random.nextInt(3) == 0) {
      byte[] echo = new Icmpv6(Icmpv6.ECHO_REQUEST, 0, new byte[8]).encode(source, destination);
      return Ipv6Packet.of(source, destination, hopLimit, Protocol.ICMPV6, echo);
    }
    // scapy reads the dispatch 0x7f of such a UDP packet as the escape of RFC 4944, not as IPHC.
    int udpHopLimit = hopLimit == 255 ? 254 : hopLimit;
    Udp udp = new Udp(port(random), port(random), content);
    return Ipv6Packet.of(
        source, destination, udpHopLimit, Protocol.UDP, udp.encode(source, destination));
  }

  private static int port(Random random) {
    return pick(random, 5683, 0xf000 + random.nextInt(256), 0xf0b0 + random.nextInt(16));
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private record Run(int exit, String output) {}

  /** Runs a command with files as its streams, so that neither side blocks the other. */
  private static Run run(List<String> command, String input)
      throws IOException, InterruptedException {
    Path in = Files.writeString(folder.resolve("in"), input);
    Path out = folder.resolve("out");
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(folder.resolve("err").toFile())
              .start();
    } catch (IOException e) {
      return new Run(-1, String.valueOf(e.getMessage()));
    }
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return new Run(-1, "no answer in 120 s");
    }
    String errors = Files.readString(folder.resolve("err"), StandardCharsets.UTF_8);
    String output = Files.readString(out, StandardCharsets.UTF_8);
    return new Run(process.exitValue(), process.exitValue() == 0 ? output : errors);
  }
}
