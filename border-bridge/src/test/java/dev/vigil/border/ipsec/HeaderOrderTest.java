package dev.vigil.border.ipsec;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Destination options before AH and ESP, ESP inside AH, and compressed UDP inside ESP, as other
 * implementations send them.
 */
class HeaderOrderTest {
  private static final String KEY = "000102030405060708090a0b0c0d0e0f";
  private static final String SALT = "a0a1a2a3";
  private static final byte[] INTEGRITY_KEY =
      HexFormat.of().parseHex("101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f");

  static List<Vectors.ProtectedPacket> packets() {
    return Vectors.protectedPackets();
  }

  @ParameterizedTest
  @MethodSource("packets")
  void everyLayerOpensAndThePlainPacketRemains(Vectors.ProtectedPacket vector)
      throws WireException {
    Ipv6Packet packet = Ipv6Packet.parse(vector.ipv6());
    for (String layer : vector.layers()) {
      Association association = association(packet, layer);
      InboundAssociation in = new InboundAssociation(association, 0);
      Ipv6Packet outer = packet;
      packet = in.open(outer);
      assertThat(in.top()).isEqualTo(7);
      refuses(Drop.SEQUENCE_REPLAYED, () -> in.open(outer));
    }
    assertThat(packet.encode()).isEqualTo(vector.plain());
    byte[] changed = vector.ipv6().clone();
    changed[changed.length - 1] ^= 1;
    Ipv6Packet forged = Ipv6Packet.parse(changed);
    InboundAssociation in =
        new InboundAssociation(association(forged, vector.layers().getFirst()), 0);
    refuses(Drop.ICV_WRONG, () -> in.open(forged));
  }

  @ParameterizedTest
  @MethodSource("packets")
  void ourProtectedPacketsOpenToTheSamePacket(Vectors.ProtectedPacket vector) throws WireException {
    Ipv6Packet plain = Ipv6Packet.parse(vector.plain());
    Ipv6Packet packet = plain;
    for (String layer : vector.layers().reversed()) {
      SequenceCounter numbers = new SequenceCounter(OptionalLong.of(0), 8, ignored -> {});
      OutboundAssociation out =
          new OutboundAssociation(association(plain, layer), numbers, new Random(7));
      packet = Ipv6Packet.parse(out.protect(packet).encode());
    }
    assertThat(packet.encode().length).isGreaterThan(vector.plain().length);
    for (String layer : vector.layers()) {
      packet = new InboundAssociation(association(plain, layer), 0).open(packet);
    }
    assertThat(packet.encode()).isEqualTo(vector.plain());
  }

  private static Association association(Ipv6Packet packet, String layer) throws WireException {
    List<String> words = Arrays.asList(layer.split(" "));
    Integrity integrity =
        words.contains("hmac-sha1-96")
            ? Integrity.HMAC_SHA1_96
            : words.contains("hmac-sha256-128") ? Integrity.HMAC_SHA256_128 : Integrity.NONE;
    byte[] integrityKey = Arrays.copyOf(INTEGRITY_KEY, integrity.keyLength());
    boolean ah = words.getFirst().equals("ah");
    return new Association(
        layer,
        packet.source(),
        packet.finalDestination(),
        ah ? 0x11000002 : 0x11000001,
        ah
            ? new Association.AhProtection(integrity, integrityKey)
            : esp(words, integrity, integrityKey),
        Association.DEFAULT_WINDOW);
  }

  private static Association.EspProtection esp(
      List<String> words, Integrity integrity, byte[] integrityKey) {
    String cipher = words.get(1);
    Encryption encryption =
        switch (cipher) {
          case "aes-cbc" -> Encryption.AES_CBC;
          case "aes-ctr" -> Encryption.AES_CTR;
          case "aes-ccm-8" -> Encryption.AES_CCM_8;
          default -> throw new IllegalArgumentException(cipher);
        };
    byte[] key = HexFormat.of().parseHex(KEY + SALT.substring(0, 2 * encryption.saltLength()));
    return new Association.EspProtection(
        encryption, key, integrity, integrityKey, words.getFirst().equals("esp-udp"));
  }
}
