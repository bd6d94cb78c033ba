package dev.vigil.border.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Tshark;
import dev.vigil.border.wire.Octets;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapngTest {
  private static final Instant AT = Instant.parse("2026-11-20T10:11:12.123456789Z");
  private static final Clock CLOCK = Clock.fixed(AT, ZoneOffset.UTC);

  /** The first frames of coap.txt (GET test/hello over 3 hops and its answer). */
  private static final String GET =
      "61dc39cdab020002000200020001000100010001007e77e31603028800000002030003000300030204000400040004"
          + "f2b21633deee41011a0101b4746573740568656c6c6f";

  private static final String ACK = "02003be83a";

  @TempDir Path folder;

  @Test
  void tsharkDecodesAFrameDownToCoapWithItsNanosecondsAndDirection() throws Exception {
    Path file = folder.resolve("air.pcapng");
    try (Captures captures = new Captures(file, CLOCK)) {
      captures.packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.OUT, Octets.parseHex(GET));
      captures.packet(LinkType.IEEE802154_WITH_FCS, Direction.IN, Octets.parseHex(ACK));
    }
    List<String> lines =
        Tshark.fields(
            file,
            "frame.time_epoch",
            "coap.opt.uri_path_recon",
            "wpan.frame_type",
            "frame.interface_name",
            "frame.packet_flags_direction",
            "_ws.malformed");
    assertThat(lines)
        .containsExactly(
            "1795169472.123456789\t/test/hello\t0x0001\t802.15.4\t0x00000002\t",
            "1795169472.123456789\t\t0x0002\t802.15.4 with FCS\t0x00000001\t");
  }

  @Test
  void aFileThatWasNeverClosedIsReadable() throws Exception {
    Path file = folder.resolve("killed.pcapng");
    Captures captures = new Captures(file, CLOCK);
    captures.packet(LinkType.IPV6, Direction.IN, Octets.parseHex("60".repeat(40)));
    Path copy = folder.resolve("as-the-disk-has-it.pcapng");
    Files.copy(file, copy);
    assertThat(Tshark.fields(copy, "ipv6.version")).hasSize(1);
    captures.close();
  }

  @Test
  void aLiveListenerGetsACompleteStreamUntilTheCaptureCloses() throws Exception {
    Captures captures = new Captures(null, CLOCK);
    CountDownLatch header = new CountDownLatch(1);
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            header.countDown();
          }
        };
    Thread reader =
        Thread.startVirtualThread(
            () -> {
              try {
                captures.stream(out, 60);
              } catch (java.io.IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    header.await();
    captures.packet(LinkType.IEEE802154_WITH_FCS, Direction.IN, Octets.parseHex(ACK));
    captures.close();
    reader.join();
    Path file = folder.resolve("live.pcapng");
    Files.write(file, out.toByteArray());
    assertThat(Tshark.fields(file, "wpan.seq_no")).isSubsetOf("59").hasSizeLessThanOrEqualTo(1);
  }
}
