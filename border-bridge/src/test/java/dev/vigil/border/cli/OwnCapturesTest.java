package dev.vigil.border.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.capture.Pcapng;
import dev.vigil.border.wire.Hex;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code decode} on files as {@code --pcap} and {@code /api/network/capture} write them. */
class OwnCapturesTest {
  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void begin() {
    file.writeBytes(Pcapng.header());
  }

  @Test
  void eachPacketIsPrintedOnceThoughTheCaptureHasItTwice() {
    for (Vectors.RecordedFrame recorded : Vectors.contiki("air.txt")) {
      packet(LinkType.IEEE802154_WITH_FCS, Objects.requireNonNull(recorded.withFcs(), "frame"));
      packet(LinkType.IPV6, recorded.ipv6());
    }
    for (LinkType type : LinkType.values()) {
      file.writeBytes(Pcapng.statistics(type, Instant.EPOCH, 9, 0));
    }
    assertThat(decode()).isZero();
    assertThat(packets()).isEqualTo(recordedPackets());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void printsPacketsOfARadioThatDeliversNoFrames() {
    Vectors.contiki("air.txt").forEach(recorded -> packet(LinkType.IPV6, recorded.ipv6()));
    assertThat(decode()).isZero();
    assertThat(packets()).isEqualTo(recordedPackets());
  }

  private void packet(LinkType type, byte @Nullable [] octets) {
    if (octets != null) {
      file.writeBytes(Pcapng.packet(type, Direction.IN, Instant.EPOCH, octets));
    }
  }

  private int decode() {
    ByteArrayInputStream input = new ByteArrayInputStream(file.toByteArray());
    return new CommandLine(new DecodeCommand(input))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute();
  }

  private List<String> packets() {
    return out.toString().lines().map(line -> line.split(" ")[0]).toList();
  }

  private static List<String> recordedPackets() {
    return Vectors.contiki("air.txt").stream()
        .filter(recorded -> recorded.ipv6() != null)
        .map(recorded -> Hex.format(Objects.requireNonNull(recorded.ipv6(), "packet")))
        .toList();
  }
}
