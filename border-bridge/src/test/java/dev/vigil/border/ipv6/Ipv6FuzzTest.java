package dev.vigil.border.ipv6;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.Vectors;
import dev.vigil.border.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/** Any octets are a packet that encodes to the same octets, or are refused with a named reason. */
class Ipv6FuzzTest {
  @MethodSource("recordedPackets")
  @FuzzTest(maxDuration = "30s")
  void aPacketGivesItsOctetsBackOrIsRefused(byte[] octets) {
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      assertThat(packet.encode()).isEqualTo(octets);
      for (ExtensionHeader header : packet.extensions()) {
        if (header instanceof ExtensionHeader.HopByHop options) {
          RplOption.find(options);
        }
      }
      Ipv6Address last = packet.finalDestination();
      Udp.parse(packet.payload(), packet.source(), last);
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  @FuzzTest(maxDuration = "30s")
  void anAddressTextIsReadOrRefused(byte[] octets) {
    try {
      Ipv6Address address = Ipv6Address.parse(new String(octets, StandardCharsets.ISO_8859_1));
      assertThat(Ipv6Address.parse(address.toString())).isEqualTo(address);
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }

  static List<byte[]> recordedPackets() {
    return Vectors.linux().stream().map(Vectors.LinuxPacket::ipv6).toList();
  }
}
