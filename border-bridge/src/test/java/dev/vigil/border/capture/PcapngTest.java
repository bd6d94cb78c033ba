package dev.vigil.border.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.Tshark;
import dev.vigil.border.wire.Hex;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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
  void tsharkDecodesAFrameWithItsTimeAndDirection() throws Exception {
    Path file = folder.resolve("air.pcapng");
    try (Captures captures = new Captures(file, CLOCK, System::nanoTime)) {
      captures.packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.OUT, Hex.parse(GET));
      captures.packet(LinkType.IEEE802154_WITH_FCS, Direction.IN, Hex.parse(ACK));
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
  void onlyTheOwnerMayReadTheFile() throws Exception {
    Path file = folder.resolve("private.pcapng");
    new Captures(file, CLOCK, System::nanoTime).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileThatWasNeverClosedIsReadable() throws Exception {
    Path file = folder.resolve("killed.pcapng");
    Captures captures = new Captures(file, CLOCK, System::nanoTime);
    captures.packet(LinkType.IPV6, Direction.IN, Hex.parse("60".repeat(40)));
    Path copy = folder.resolve("as-the-disk-has-it.pcapng");
    Files.copy(file, copy);
    assertThat(Tshark.fields(copy, "ipv6.version")).hasSize(1);
    captures.close();
  }

  @Test
  void aLiveListenerGetsACompleteStreamUntilTheCaptureCloses() throws Exception {
    Captures captures = new Captures(null, CLOCK, System::nanoTime);
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
    captures.packet(LinkType.IEEE802154_WITH_FCS, Direction.IN, Hex.parse(ACK));
    captures.close();
    reader.join();
    Path file = folder.resolve("live.pcapng");
    Files.write(file, out.toByteArray());
    assertThat(Tshark.fields(file, "wpan.seq_no")).isSubsetOf("59").hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void tsharkReadsALiveStreamWhileItRuns() throws Exception {
    Captures captures = new Captures(null, CLOCK, System::nanoTime);
    Process tshark =
        new ProcessBuilder("tshark", "-l", "-i", "-", "-T", "fields", "-e", "wpan.seq_no")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream line = tshark.getOutputStream();
        BufferedReader decoded = tshark.inputReader()) {
      Thread writer = stream(captures, line);
      await(() -> captures.readers() == 1);
      captures.packet(LinkType.IEEE802154_WITH_FCS, Direction.IN, Hex.parse(ACK));
      assertThat(decoded.readLine()).as("before the stream ends").isEqualTo("59");
      captures.packet(LinkType.IEEE802154_WITHOUT_FCS, Direction.IN, Hex.parse(GET));
      assertThat(decoded.readLine()).isEqualTo("57");
      captures.close();
      writer.join();
    } finally {
      tshark.destroy();
      tshark.waitFor();
    }
  }

  @Test
  void aSlowReaderLosesPacketsAndGetsTheirNumber() throws Exception {
    Captures captures = new Captures(null, CLOCK, System::nanoTime);
    CountDownLatch go = new CountDownLatch(1);
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    OutputStream slow =
        new FilterOutputStream(got) {
          @Override
          public void write(byte[] octets) throws IOException {
            try {
              if (captures.lost() == 0 && got.size() > 0) {
                go.await();
              }
            } catch (InterruptedException e) {
              throw new InterruptedIOException();
            }
            super.write(octets);
          }
        };
    Thread writer = stream(captures, slow);
    await(() -> captures.readers() == 1);
    for (int i = 0; i < 5_000; i++) {
      captures.packet(LinkType.IEEE802154_WITH_FCS, Direction.IN, Hex.parse(ACK));
    }
    go.countDown();
    captures.close();
    writer.join();
    Path file = Files.write(folder.resolve("slow.pcapng"), got.toByteArray());
    long arrived = Tshark.fields(file, "wpan.seq_no").size();
    assertThat(captures.lost()).isPositive();
    assertThat(arrived).isEqualTo(5_000 - captures.lost());
    byte[] octets = got.toByteArray();
    ByteBuffer tail = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
    // The last blocks are the statistics of the interfaces, 52 octets each; the first belongs to
    // this interface.
    int statistics = octets.length - LinkType.values().length * 52;
    assertThat(tail.getInt(statistics)).isEqualTo(5);
    assertThat(tail.getInt(statistics + 8)).isZero();
    assertThat(tail.getLong(statistics + 24)).as("isb_ifrecv").isEqualTo(5_000);
    assertThat(tail.getLong(statistics + 36)).as("isb_ifdrop").isEqualTo(captures.lost());
  }

  @Test
  void thereAreSixteenReadersAtMostAndNoneAfterTheEnd() throws Exception {
    Captures captures = new Captures(null, CLOCK, System::nanoTime);
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      readers.add(stream(captures, OutputStream.nullOutputStream()));
    }
    await(() -> captures.readers() == 16);
    assertThatThrownBy(() -> captures.stream(OutputStream.nullOutputStream(), 1))
        .isInstanceOf(IllegalStateException.class);
    captures.endLive();
    for (Thread reader : readers) {
      reader.join();
    }
    assertThatThrownBy(() -> captures.stream(OutputStream.nullOutputStream(), 1))
        .isInstanceOf(IllegalStateException.class);
    captures.close();
  }

  private static Thread stream(Captures captures, OutputStream out) {
    return Thread.startVirtualThread(
        () -> {
          try {
            captures.stream(out, 60);
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 30_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
