package dev.vigil.border.ether;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZepPacketTest {
  /**
   * Written by hand from the header drawing in Wireshark's dissector; the frame comes from air.txt.
   */
  private static final String DATA =
      "4558"
          + "02"
          + "01"
          + "1a"
          + "0102"
          + "01"
          + "ff"
          + "83aa7e8000000000"
          + "00000007"
          + "00000000000000000000"
          + "05"
          + "02003be83a";

  @Test
  void readsEveryFieldOfADataPacket() throws WireException {
    ZepPacket.Data data = (ZepPacket.Data) ZepPacket.parse(Hex.parse(DATA));
    assertThat(data.channel()).isEqualTo(26);
    assertThat(data.device()).isEqualTo(0x0102);
    assertThat(data.lqi()).isEqualTo(255);
    assertThat(data.ntpTime()).isEqualTo(0x83aa7e8000000000L);
    assertThat(data.sequence()).isEqualTo(7);
    assertThat(data.psdu()).isEqualTo(Hex.parse("02003be83a"));
  }

  @Test
  void writesWhatItReads() throws WireException {
    assertThat(Hex.format(ZepPacket.parse(Hex.parse(DATA)).toBytes())).isEqualTo(DATA);
    String ack = "455802" + "02" + "00000007";
    assertThat(Hex.format(ZepPacket.parse(Hex.parse(ack)).toBytes())).isEqualTo(ack);
  }

  @Test
  void readsRiotsHelloWithAndWithoutAddress() throws WireException {
    String head = "455802ff" + "00".repeat(17) + "48454c4c4f" + "00".repeat(5);
    ZepPacket.Hello with =
        (ZepPacket.Hello) ZepPacket.parse(Hex.parse(head + "08" + "005a45500a0b0c0d"));
    assertThat(with.eui64()).isEqualTo(Eui64.parse("005a45500a0b0c0d"));
    assertThat(Hex.format(with.toBytes())).isEqualTo(head + "08" + "005a45500a0b0c0d");
    ZepPacket.Hello without = (ZepPacket.Hello) ZepPacket.parse(Hex.parse(head + "00"));
    assertThat(without.eui64()).isNull();
  }

  @Test
  void refusesEveryTruncationAndEveryOctetTooMany() throws WireException {
    byte[] whole = Hex.parse(DATA);
    for (int length = 0; length < whole.length; length++) {
      byte[] torn = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> ZepPacket.parse(torn)).isInstanceOf(WireException.class);
    }
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> ZepPacket.parse(longer)).isInstanceOf(WireException.class);
  }

  @Test
  void anyOctetsAreParsedAndRestoredOrRefused() {
    Random random = new Random(17754);
    int parsed = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] octets = new byte[random.nextInt(200)];
      random.nextBytes(octets);
      byte[] head = {'E', 'X', 2, (byte) (random.nextInt(4) == 0 ? 255 : random.nextInt(3))};
      System.arraycopy(head, 0, octets, 0, Math.min(head.length, octets.length));
      if (octets.length > 32) {
        octets[31] = (byte) (octets.length - 32);
      }
      try {
        ZepPacket packet = ZepPacket.parse(octets);
        assertThat(ZepPacket.parse(packet.toBytes()).toBytes()).isEqualTo(packet.toBytes());
        parsed++;
      } catch (WireException refused) {
        assertThat(refused.reason()).isNotNull();
      }
    }
    assertThat(parsed).isGreaterThan(1_000);
  }
}
