package dev.vigil.border.ipsec;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** AH and ESP packets of a Linux kernel are opened and rebuilt octet for octet. */
class KernelPacketsTest {
  private static final String CIPHER = "000102030405060708090a0b0c0d0e0f";
  private static final String MAC = "101112131415161718191a1b1c1d1e1f";
  private static final String SHA1 = MAC + "20212223";

  @Test
  void everyEspPacketOpensUnderOneSuiteAndIsRebuilt() throws WireException {
    Map<String, EspTransform> suites = new LinkedHashMap<>();
    suites.put("cbc-xcbc", esp(Encryption.AES_CBC, CIPHER, Integrity.AES_XCBC_96, MAC));
    suites.put(
        "ctr-xcbc", esp(Encryption.AES_CTR, CIPHER + "a0a1a2a3", Integrity.AES_XCBC_96, MAC));
    suites.put("cbc-sha1", esp(Encryption.AES_CBC, CIPHER, Integrity.HMAC_SHA1_96, SHA1));
    suites.put("ccm8", esp(Encryption.AES_CCM_8, CIPHER + "a0a1a2", Integrity.NONE, ""));
    List<String> seen = new ArrayList<>();
    for (Ipv6Packet packet : kernel("ESP made by the kernel")) {
      for (Map.Entry<String, EspTransform> suite : suites.entrySet()) {
        if (opens(packet, suite.getValue())) {
          seen.add(suite.getKey());
        }
      }
    }
    assertThat(seen).as("one suite each").hasSize(16).containsAll(suites.keySet());
  }

  @Test
  void everyAhPacketVerifiesUnderOneAlgorithmAndIsRebuilt() throws WireException {
    List<AhTransform> algorithms =
        List.of(
            new AhTransform(Integrity.HMAC_SHA1_96, Hex.parse(SHA1)),
            new AhTransform(Integrity.AES_XCBC_96, Hex.parse(MAC)));
    int seen = 0;
    for (Ipv6Packet packet : kernel("AH made by the kernel")) {
      for (AhTransform algorithm : algorithms) {
        if (verifies(packet, algorithm)) {
          seen++;
        }
      }
    }
    assertThat(seen).isEqualTo(8);
  }

  private static boolean opens(Ipv6Packet packet, EspTransform suite) throws WireException {
    EspTransform.Content content;
    try {
      content = suite.open(packet.payload());
    } catch (WireException e) {
      // Another suite may read a part of the ICV as invalid padding, but never opens the packet.
      assertThat(e.reason()).isIn(Drop.ICV_WRONG, Drop.ESP_LENGTH, Drop.ESP_PADDING);
      return false;
    }
    assertThat(content.protocol()).isEqualTo(Protocol.UDP);
    Udp.parse(content.octets(), packet.source(), packet.destination());
    WireReader in = new WireReader(packet.payload());
    int spi = (int) in.u32();
    long sequence = in.u32();
    assertThat(spi).isIn(0x1001, 0x1002);
    byte[] iv = in.bytes(suite.encryption().ivLength());
    assertThat(suite.seal(spi, sequence, iv, content)).isEqualTo(packet.payload());
    assertThat(packet.payload())
        .hasSize(content.octets().length + suite.overhead(content.octets().length));
    for (int at = 0; at < packet.payload().length; at++) {
      byte[] changed = packet.payload().clone();
      changed[at] ^= 0x10;
      refuses(Drop.ICV_WRONG, () -> suite.open(changed));
    }
    return true;
  }

  private static boolean verifies(Ipv6Packet packet, AhTransform algorithm) throws WireException {
    Ipv6Packet bare;
    try {
      bare = algorithm.verify(packet);
    } catch (WireException e) {
      assertThat(e.reason()).isEqualTo(Drop.ICV_WRONG);
      return false;
    }
    Udp.parse(bare.payload(), bare.source(), bare.destination());
    ExtensionHeader.Authentication ah =
        (ExtensionHeader.Authentication) packet.extensions().getFirst();
    assertThat(algorithm.protect(bare, ah.spi(), ah.sequence())).isEqualTo(packet);
    Ipv6Packet onTheWay =
        new Ipv6Packet(
            0x2e,
            77,
            3,
            packet.source(),
            packet.destination(),
            packet.extensions(),
            17,
            packet.payload());
    assertThat(algorithm.verify(onTheWay).payload()).isEqualTo(bare.payload());
    byte[] changed = packet.payload().clone();
    changed[changed.length - 1] ^= 1;
    refuses(Drop.ICV_WRONG, () -> algorithm.verify(packet.withPayload(17, changed)));
    return true;
  }

  private static List<Ipv6Packet> kernel(String title) throws WireException {
    List<Ipv6Packet> packets = new ArrayList<>();
    for (Vectors.LinuxPacket packet : Vectors.linux()) {
      if (packet.title().endsWith(title)) {
        packets.add(Ipv6Packet.parse(packet.ipv6()));
      }
    }
    assertThat(packets).isNotEmpty();
    return packets;
  }

  private static EspTransform esp(
      Encryption encryption, String key, Integrity integrity, String integrityKey)
      throws WireException {
    return new EspTransform(encryption, Hex.parse(key), integrity, Hex.parse(integrityKey));
  }
}
