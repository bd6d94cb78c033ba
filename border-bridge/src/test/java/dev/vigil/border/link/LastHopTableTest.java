package dev.vigil.border.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.WireException;
import org.junit.jupiter.api.Test;

class LastHopTableTest {
  private static final Eui64 FORWARDER = new Eui64(0x0256_4947_494c_1001L);
  private static final Eui64 OTHER = new Eui64(0x0256_4947_494c_1002L);

  private final LastHopTable table = new LastHopTable();

  private static Ipv6Address mote(int number) {
    return new Ipv6Address(0xfd00L << 48, number);
  }

  private void hear(Ipv6Address source, LinkAddress neighbour) throws WireException {
    Ipv6Packet packet =
        Ipv6Packet.of(source, Ipv6Address.ALL_NODES, 64, Protocol.NO_NEXT_HEADER, new byte[0]);
    table.heard(packet.encode(), neighbour);
  }

  @Test
  void theLastNeighbourOfAnAddressCounts() throws WireException {
    hear(mote(1), LinkAddress.of(FORWARDER));
    hear(mote(2), LinkAddress.of(FORWARDER));
    assertThat(table.neighbourOf(mote(1))).hasValue(FORWARDER.interfaceId());
    assertThat(table.neighbourOf(mote(1))).isEqualTo(table.neighbourOf(mote(2)));
    hear(mote(1), LinkAddress.of(OTHER));
    assertThat(table.neighbourOf(mote(1))).hasValue(OTHER.interfaceId());
    assertThat(table.neighbourOf(mote(3))).isEmpty();
  }

  @Test
  void aFullTableDropsTheAddressThatWasSilentLongest() throws WireException {
    for (int number = 0; number < LastHopTable.CAPACITY; number++) {
      hear(mote(number), LinkAddress.of(FORWARDER));
    }
    hear(mote(0), LinkAddress.of(FORWARDER));
    hear(mote(LastHopTable.CAPACITY), LinkAddress.of(OTHER));
    assertThat(table.neighbourOf(mote(0))).isPresent();
    assertThat(table.neighbourOf(mote(1))).isEmpty();
    assertThat(table.neighbourOf(mote(LastHopTable.CAPACITY))).isPresent();
  }
}
