package dev.vigil.gateway.month;

import dev.vigil.border.ipsec.IpsecHeaders;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.WireException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * No sequence number of ESP, which is the IV too, is used for two packets of one association. The
 * same packet may come again.
 */
final class PacketNumberCheck {
  private static final int NUMBER_AT = 4;

  private final Map<Place, Integer> packets = new HashMap<>();

  private record Place(Ipv6Address destination, int spi, int number) {}

  /** Takes a packet that somebody has sent. */
  void sent(byte[] octets) {
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      IpsecHeaders headers = IpsecHeaders.of(packet);
      if (headers.esp().isEmpty()) {
        return;
      }
      int spi = headers.esp().getAsInt();
      int number = ByteBuffer.wrap(packet.payload()).getInt(NUMBER_AT);
      int content = Arrays.hashCode(packet.payload());
      Integer before =
          packets.putIfAbsent(new Place(packet.finalDestination(), spi, number), content);
      HistoryCheck.require(
          before == null || before == content,
          "number %d of association 0x%08x was used for two packets",
          number,
          spi);
    } catch (WireException e) {
      // The gateway drops it.
    }
  }
}
