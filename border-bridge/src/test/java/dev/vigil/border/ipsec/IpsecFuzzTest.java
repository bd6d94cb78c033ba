package dev.vigil.border.ipsec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.Vectors;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any packet is opened, or refused with a named reason. Without keys the fuzzer reaches the parsers
 * behind the ICV.
 */
class IpsecFuzzTest {
  private static final byte[] NONE = {};

  @MethodSource("recordedPackets")
  @FuzzTest(maxDuration = "30s")
  void anEspPacketIsOpenedOrRefused(byte[] octets) {
    EspTransform bare = new EspTransform(Encryption.NULL, NONE, Integrity.NONE, NONE);
    for (boolean udpCompressed : List.of(false, true)) {
      try {
        assertThat(Esp.open(Ipv6Packet.parse(octets), bare, udpCompressed)).isNotNull();
      } catch (WireException e) {
        assertThat(e.reason()).isNotNull();
      }
    }
  }

  @MethodSource("recordedPackets")
  @FuzzTest(maxDuration = "30s")
  void anAhPacketIsVerifiedOrRefused(byte[] octets) {
    AhTransform ah = new AhTransform(Integrity.AES_XCBC_96, new byte[16]);
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      Ipv6Packet protectedPacket = ah.protect(packet, 1, 1);
      assertThat(AhTransform.canonical(packet)).isNotNull();
      assertThat(protectedPacket.extensions()).hasSize(packet.extensions().size() + 1);
      ah.verify(packet);
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  @MethodSource("recordedPackets")
  @FuzzTest(maxDuration = "30s")
  void anotherNumberChangesNothingElse(byte[] octets) {
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      OptionalLong number = IpsecHeaders.outermostSequence(packet);
      if (number.isPresent()) {
        Ipv6Packet other = IpsecHeaders.withOutermostSequence(packet, number.getAsLong() ^ 0x1ff);
        assertThat(IpsecHeaders.outermostSequence(other)).hasValue(number.getAsLong() ^ 0x1ff);
        assertThat(IpsecHeaders.withOutermostSequence(other, number.getAsLong())).isEqualTo(packet);
      }
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  static List<byte[]> recordedPackets() {
    return Vectors.linux().stream().map(Vectors.LinuxPacket::ipv6).toList();
  }
}
