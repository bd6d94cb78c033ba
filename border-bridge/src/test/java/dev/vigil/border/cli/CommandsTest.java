package dev.vigil.border.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireWriter;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {
  private static final String KEY = "4a61766120627269646765206b657931";

  private record Result(int exit, List<String> out, String err) {
    List<String> packets() {
      return out.stream().map(line -> line.split(" ")[0]).toList();
    }
  }

  @Test
  void decodesTheAirOfANetworkToThePacketsOfTheRecording() {
    Result result = decode(frames("air.txt"), "--fcs");
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    assertThat(result.packets()).isEqualTo(packets("air.txt"));
    assertThat(result.out().getFirst())
        .endsWith(" fe80::202:2:2:2 > ff02::1a, hop limit 64, ICMPv6 RPL DIS, 2 octets");
    assertThat(result.out())
        .anyMatch(line -> line.contains("RPL instance 0 rank 323, ICMPv6 RPL DAO, 46 octets"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"llsec-level1.txt", "llsec-level5.txt", "llsec-level7.txt"})
  void opensSecuredFramesOnlyWithTheKey(String file) {
    Result open = decode(frames(file), "--fcs", "--link-key", KEY);
    assertThat(open.exit()).isZero();
    assertThat(open.packets()).isEqualTo(packets(file));
    Result closed = decode(frames(file), "--fcs");
    assertThat(closed.exit()).isEqualTo(1);
    assertThat(closed.err()).contains("security_key_unknown");
    Result wrong = decode(frames(file), "--fcs", "--link-key", "00".repeat(16));
    assertThat(wrong.err()).contains("mic_wrong");
  }

  @Test
  void readsACaptureFileOfEitherKindAndOrder() {
    for (byte[] file : List.of(pcap(true), pcap(false), pcapng(true), pcapng(false))) {
      Result result = decode(file);
      assertThat(result.err()).isEmpty();
      assertThat(result.packets()).isEqualTo(packets("air.txt"));
    }
    Result cut = decode(Arrays.copyOf(pcap(true), 2000));
    assertThat(cut.exit()).isEqualTo(1);
    assertThat(cut.err()).contains("truncated");
  }

  @Test
  void reportsEachErrorWithItsLineAndContinues() {
    String input =
        """
        # a comment

        zz
        41d83a
        41d83acdabffff02000200020002007a3b3a1a9b0065190000
        41d83acdabffff0200020002000200c0f800017a3b3a1a9b0065190000
        """;
    Result result = decode(input.getBytes(StandardCharsets.UTF_8));
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).hasSize(1);
    assertThat(result.err())
        .contains("line 3: bad_text")
        .contains("line 4: truncated")
        .contains("line 6: fragment_offset");
  }

  @Test
  void decodingReversesEncodingAtEveryLevel() {
    List<String> given = packets("echo.txt");
    for (int level = 0; level < 8; level++) {
      List<String> arguments =
          new ArrayList<>(List.of("--fcs", "--link-key", KEY, "--level", "" + level));
      Result encoded = encode(String.join(" a summary\n", given), arguments);
      assertThat(encoded.err()).isEmpty();
      assertThat(encoded.out()).hasSizeGreaterThan(given.size());
      Result decoded = decode(lines(encoded.out()), "--fcs", "--link-key", KEY);
      assertThat(decoded.packets()).isEqualTo(given);
      assertThat(decoded.err()).isEmpty();
    }
  }

  @Test
  void encodesBetweenTheRequestedAddresses() {
    String dis = packets("air.txt").getFirst();
    Result encoded = encode(dis, List.of("--src", "0002000200020002", "--dst", "ffff"));
    assertThat(encoded.out()).containsExactly("41d800cdabffff02000200020002007a3b3a1a9b0065190000");
    Result shorter = encode(dis, List.of("--src", "000a", "--dst", "ffff", "--pan", "1234"));
    assertThat(shorter.out().getFirst()).startsWith("4198003412ffff0a00");
  }

  @Test
  void refusesInconsistentArguments() {
    assertThat(encode("", List.of("--level", "5")).exit()).isEqualTo(2);
    assertThat(encode("", List.of("--level", "8", "--link-key", KEY)).exit()).isEqualTo(2);
    assertThat(decode(new byte[0], "--context", "1=nonsense").exit()).isNotZero();
    assertThat(decode(new byte[0], "--prefix", "2001:db8::/64", "--context", "3=fd00::/64").exit())
        .isZero();
  }

  @Test
  void addressesAreElidedByContexts() {
    String addresses = "20010db8000700000000000000000001" + "fd000000000000000202000200020002";
    String udp = "6000000000091140" + addresses + "00010002000956e700";
    List<String> between = List.of("--src", "0009000900090009", "--dst", "ffff");
    List<String> shortened = new ArrayList<>(between);
    shortened.addAll(List.of("--context", "3=2001:db8:7::/64"));
    List<String> frames = encode(udp, between).out();
    List<String> shorter = encode(udp, shortened).out();
    assertThat(shorter.getFirst().length()).isLessThan(frames.getFirst().length());
    assertThat(decode(lines(shorter), "--context", "3=2001:db8:7::/64").packets())
        .containsExactly(udp);
    Result unknown = decode(lines(shorter));
    assertThat(unknown.exit()).isEqualTo(1);
    assertThat(unknown.err()).contains("line 1: iphc_context_unknown");
  }

  @Test
  void theMeshPrefixIsContextZero() {
    String ofMesh =
        packets("air.txt").stream()
            .filter(packet -> packet.startsWith("fd00", 16))
            .findFirst()
            .orElseThrow();
    List<String> frames = encode(ofMesh, List.of()).out();
    assertThat(decode(lines(frames)).packets()).containsExactly(ofMesh);
    String elsewhere = decode(lines(frames), "--prefix", "2001:db8:7::/64").packets().getFirst();
    assertThat(elsewhere.substring(16)).startsWith("20010db800070000");
  }

  @Test
  void aWrongFcsIsReportedIfFramesHaveOne() {
    String frame =
        new String(frames("air.txt"), StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
    String without = frame.substring(0, frame.length() - 4);
    Result result = decode(lines(List.of(without + "0000")), "--fcs");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("line 1: fcs_wrong");
    assertThat(decode(lines(List.of(without))).packets())
        .containsExactly(packets("air.txt").getFirst());
  }

  @Test
  void wrongInputIsReportedWithoutAStackTrace() {
    Result absent = decode(new byte[0], "no-such-file");
    assertThat(absent.exit()).isEqualTo(2);
    assertThat(absent.err()).contains("cannot read no-such-file").doesNotContain("\tat ");
    for (List<String> wrong :
        List.of(
            List.of("--link-key", "c0ffee"),
            List.of("--src", "12345"),
            List.of("--dst", "nobody"),
            List.of("--pan", "nonsense"),
            List.of("--context", "1=nonsense"))) {
      Result result = encode(packets("air.txt").getFirst(), wrong);
      assertThat(result.exit()).as(wrong.toString()).isEqualTo(2);
      assertThat(result.err()).as(wrong.toString()).isNotEmpty().doesNotContain("\tat ");
      assertThat(result.out()).isEmpty();
    }
  }

  @Test
  void aMalformedPacketIsReportedAndTheNextEncoded() {
    String dis = packets("air.txt").getFirst();
    Result result = encode("50" + dis.substring(2) + "\nzz\n" + dis + "\n", List.of());
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("line 1: ip_version").contains("line 2: bad_text");
    assertThat(result.out()).hasSize(1);
  }

  private static Result decode(byte[] input, String... arguments) {
    return run(new CommandLine(new DecodeCommand(new ByteArrayInputStream(input))), arguments);
  }

  private static Result encode(String input, List<String> arguments) {
    byte[] octets = input.getBytes(StandardCharsets.UTF_8);
    return run(
        new CommandLine(new EncodeCommand(new ByteArrayInputStream(octets))),
        arguments.toArray(String[]::new));
  }

  private static Result run(CommandLine command, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    int exit = command.execute(arguments);
    return new Result(exit, out.toString().lines().toList(), err.toString());
  }

  private static byte[] frames(String file) {
    return lines(Vectors.contiki(file).stream().map(recorded -> hex(recorded.withFcs())).toList());
  }

  private static byte[] lines(List<String> lines) {
    return lines.stream().collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> packets(String file) {
    return Vectors.contiki(file).stream()
        .filter(recorded -> recorded.ipv6() != null)
        .map(recorded -> hex(recorded.ipv6()))
        .toList();
  }

  private static String hex(byte @Nullable [] octets) {
    return octets == null ? "" : Hex.format(octets);
  }

  private static byte[] pcap(boolean little) {
    Ordered file = new Ordered(little);
    file.u32(0xa1b2c3d4L).u32(0x00020004).u32(0).u32(0).u32(65535).u32(195);
    for (Vectors.RecordedFrame recorded : Vectors.contiki("air.txt")) {
      byte[] frame = withFcs(recorded);
      file.u32(0).u32(0).u32(frame.length).u32(frame.length).bytes(frame);
    }
    return file.toBytes();
  }

  private static byte[] pcapng(boolean little) {
    Ordered file = new Ordered(little);
    file.u32(0x0a0d0d0aL).u32(28).u32(0x1a2b3c4dL).u32(0x00010000).u32(-1).u32(-1).u32(28);
    file.u32(1).u32(20).u16(230).u16(0).u32(0).u32(20);
    for (Vectors.RecordedFrame recorded : Vectors.contiki("air.txt")) {
      byte[] frame = recorded.psdu();
      int padded = (frame.length + 3) & -4;
      file.u32(6).u32(32 + padded).u32(0).u32(0).u32(0).u32(frame.length).u32(frame.length);
      file.bytes(Arrays.copyOf(frame, padded)).u32(32 + padded);
    }
    return file.toBytes();
  }

  private static byte[] withFcs(Vectors.RecordedFrame recorded) {
    byte[] octets = recorded.withFcs();
    return octets == null ? new byte[0] : octets;
  }

  /** Writes in one of the two byte orders a capture file may have. */
  private static final class Ordered {
    private final boolean little;
    private final WireWriter out = new WireWriter();

    Ordered(boolean little) {
      this.little = little;
    }

    Ordered u32(long value) {
      if (little) {
        out.u32LE(value);
      } else {
        out.u32(value);
      }
      return this;
    }

    Ordered u16(int value) {
      if (little) {
        out.u16LE(value);
      } else {
        out.u16(value);
      }
      return this;
    }

    Ordered bytes(byte[] octets) {
      out.bytes(octets);
      return this;
    }

    byte[] toBytes() {
      return out.toBytes();
    }
  }
}
