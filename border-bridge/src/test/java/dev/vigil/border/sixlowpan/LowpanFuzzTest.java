package dev.vigil.border.sixlowpan;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.Vectors;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any octets are a packet that survives our own compression, or are refused with a named reason.
 */
class LowpanFuzzTest {
  private static final LinkAddress A = LinkAddress.of(new Eui64(0x0002000200020002L));
  private static final LinkAddress B = new LinkAddress.Short(1);
  private static final Contexts MESH = Contexts.mesh(new Ipv6Address(0xfd00L << 48, 0));

  @MethodSource("recordedPayloads")
  @FuzzTest(maxDuration = "60s")
  void aPayloadBecomesAPacketThatSurvivesCompressionOrIsRefused(byte[] octets) {
    LowpanCodec codec = new LowpanCodec(MESH, 0);
    try {
      Optional<Datagram> datagram = codec.accept(octets, A, B, 0);
      if (datagram.isPresent() && datagram.get().ipv6().length <= 1280) {
        survives(codec, datagram.get().ipv6());
      }
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  @MethodSource("recordedPayloads")
  @FuzzTest(maxDuration = "60s")
  void severalPayloadsAreReassembledOrDropped(byte[] octets) {
    LowpanCodec codec = new LowpanCodec(MESH, 0);
    for (int from = 0; from < octets.length; ) {
      int length = 1 + (octets[from] & 0x7f);
      byte[] payload = Arrays.copyOfRange(octets, from, Math.min(from + length, octets.length));
      try {
        codec.accept(payload, A, B, from);
      } catch (WireException e) {
        assertThat(e.reason()).isNotNull();
      }
      from += length;
    }
  }

  static List<byte[]> recordedPayloads() throws WireException {
    List<byte[]> payloads = new ArrayList<>();
    for (Vectors.RecordedFrame recorded : Vectors.sample()) {
      byte[] plain = recorded.plain();
      payloads.add(Frame.parse(plain == null ? recorded.psdu() : plain).payload());
    }
    return payloads;
  }

  private static void survives(LowpanCodec codec, byte[] ipv6) throws WireException {
    Optional<Datagram> again = Optional.empty();
    for (byte[] payload : codec.encode(ipv6, A, B, 81, NhcSupport.COMPLETE)) {
      again = codec.accept(payload, A, B, 0);
    }
    assertThat(again.orElseThrow().ipv6()).isEqualTo(ipv6);
  }
}
