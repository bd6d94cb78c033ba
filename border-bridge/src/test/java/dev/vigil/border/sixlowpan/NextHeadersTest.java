package dev.vigil.border.sixlowpan;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** UDP, extension headers, AH and ESP in their compressed forms. */
class NextHeadersTest {
  private static final Eui64 NODE = new Eui64(0x0002000200020002L);
  private static final Eui64 ROOT = new Eui64(0x0001000100010001L);
  private static final LinkAddress A = LinkAddress.of(NODE);
  private static final LinkAddress B = LinkAddress.of(ROOT);
  private static final Ipv6Address FROM = new Ipv6Address(0xfd00L << 48, NODE.interfaceId());
  private static final Ipv6Address TO = new Ipv6Address(0xfd00L << 48, ROOT.interfaceId());
  private static final Contexts MESH = Contexts.mesh(new Ipv6Address(0xfd00L << 48, 0));
  private static final byte[] CONTENT = {'t', 'e', 'n', 'o', 'c', 't', 'e', 't', 's', '!'};

  @ParameterizedTest
  @CsvSource({
    // RFC 6282, section 4.3.3; the checksum follows the ports
    "5683, 5684, f0 1633 1634", // both inline
    "5683, 61453, f1 1633 0d", // destination 0xf0XX
    "61453, 5683, f2 0d 1633", // source 0xf0XX
    "61617, 61631, f3 1f", // both 0xf0bX
    "61617, 61632, f1 f0b1 c0",
    "61600, 61617, f1 f0a0 b1"
  })
  void portsTakeTheShortestForm(int source, int destination, String expected) throws WireException {
    Ipv6Packet packet = udp(source, destination);
    String compressed = Hex.format(encode(packet, NhcSupport.UDP));
    assertThat(compressed).startsWith("7e77" + expected.replace(" ", ""));
    assertThat(decode(Hex.parse(compressed))).isEqualTo(packet);
  }

  @ParameterizedTest
  @CsvSource({"f0, f4", "f1, f5", "f2, f6", "f3, f7"})
  void anElidedChecksumIsComputedAgain(String with, String without) throws WireException {
    int form = Integer.parseInt(with, 16) & 3;
    Ipv6Packet packet =
        udp(form >= 2 ? 0xf0b1 : 5683, form == 1 ? 0xf0c2 : form == 3 ? 0xf0b2 : 5683);
    String compressed = Hex.format(encode(packet, NhcSupport.UDP));
    int ports = form == 0 ? 8 : form == 3 ? 2 : 6;
    assertThat(compressed.substring(4)).startsWith(with);
    String elided =
        "7e77" + without + compressed.substring(6, 6 + ports) + compressed.substring(10 + ports);
    assertThat(decode(Hex.parse(elided))).isEqualTo(packet);
  }

  @Test
  void anElidedChecksumUnderASourceRouteCoversTheLastAddress() throws WireException {
    Ipv6Address last = new Ipv6Address(0xfd00L << 48, 0x0204_0004_0004_0004L);
    Ipv6Packet packet =
        Ipv6Packet.of(FROM, TO, 64, Protocol.UDP, new Udp(5683, 5683, CONTENT).encode(FROM, last))
            .withExtensions(List.of(SourceRoute.through(TO, List.of(last)).header()));
    String compressed = Hex.format(encode(packet, NhcSupport.CONTIKI_NG));
    int nhc = compressed.indexOf("f016331633");
    String elided =
        compressed.substring(0, nhc) + "f416331633" + compressed.substring(nhc + 10 + 4);
    assertThat(decode(Hex.parse(elided))).isEqualTo(packet);
  }

  @Test
  void aUdpHeaderWithAWrongLengthGoesInline() throws WireException {
    byte[] message = new Udp(1, 2, CONTENT).encode(FROM, TO);
    message[5]++;
    Ipv6Packet packet = Ipv6Packet.of(FROM, TO, 64, Protocol.UDP, message);
    byte[] compressed = encode(packet, NhcSupport.COMPLETE);
    assertThat(Hex.format(compressed)).startsWith("7a7711");
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  @ParameterizedTest
  @CsvSource({
    // nhc; the octets after the addresses of a UDP packet with RPL option
    "UDP, 7a7700 11006304 00000080",
    "CONTIKI_NG, 7e77 e106630400000080 f016331633",
    "IPSEC, 7e77 e106630400000080 f016331633"
  })
  void aNeighbourGetsTheFormItUnderstands(NhcSupport nhc, String start) throws WireException {
    Ipv6Packet packet = udp(5683, 5683).withExtensions(List.of(new RplOption(0, 0, 128).header()));
    byte[] compressed = encode(packet, nhc);
    assertThat(Hex.format(compressed)).startsWith(start.replace(" ", ""));
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  @Test
  void everyKindOfExtensionHeaderHasItsIdentifier() throws WireException {
    checkHeader(new ExtensionHeader.HopByHop(new byte[6]), "e0 3b 06 000000000000");
    checkHeader(new ExtensionHeader.Routing(3, 0, new byte[4]), "e2 3b 06 030000000000");
    checkHeader(new ExtensionHeader.Fragment(9, 0x0101, 7), "e4 3b 09 010100000007");
    checkHeader(new ExtensionHeader.DestinationOptions(new byte[14]), "e6 3b 0e 0000");
    checkHeader(new ExtensionHeader.Mobility(new byte[6]), "e8 3b 06 000000000000");
  }

  @Test
  void contikisFragmentHeaderHasALengthAsReservedOctet() throws WireException {
    Ipv6Packet packet = decode(Hex.parse("7e77e43b06010100000007"));
    assertThat(packet.extensions()).containsExactly(new ExtensionHeader.Fragment(0, 0x0101, 7));
    Ipv6Packet odd =
        Ipv6Packet.of(FROM, TO, 64, 59, CONTENT)
            .withExtensions(List.of(new ExtensionHeader.Fragment(6, 0, 7)));
    assertThat(decode(encode(odd, NhcSupport.COMPLETE))).isEqualTo(odd);
  }

  @ParameterizedTest
  @CsvSource({
    // options, restored padding
    "05020000, 05020000 0100",
    "0502000000, 05020000 0000",
    "6304000000, ''",
    "630400000080, 630400000080",
    "6302aaaa05020000 1e01ff, 6302aaaa05020000 1e01ff 0101 00"
  })
  void elidedPaddingIsRestored(String options, String body) throws WireException {
    String given = options.replace(" ", "");
    String hex = "7e77e03b%02x%s".formatted(given.length() / 2, given);
    if (body.isEmpty()) {
      // Five octets take one octet of padding. IPHC does not check the truncated option.
      assertThat(Hex.format(decode(Hex.parse(hex)).encode())).endsWith(given + "00");
      return;
    }
    ExtensionHeader.HopByHop header =
        (ExtensionHeader.HopByHop) decode(Hex.parse(hex)).extensions().getFirst();
    assertThat(Hex.format(header.body())).isEqualTo(body.replace(" ", ""));
  }

  @Test
  void aHeaderTooLongForItsLengthOctetGoesInline() throws WireException {
    Ipv6Packet packet =
        Ipv6Packet.of(FROM, TO, 64, 59, new byte[0])
            .withExtensions(List.of(new ExtensionHeader.DestinationOptions(new byte[262])));
    LowpanCodec codec = new LowpanCodec(MESH, 0);
    List<byte[]> fragments = codec.encode(packet.encode(), A, B, 100, NhcSupport.COMPLETE);
    assertThat(Hex.format(fragments.getFirst())).contains("7a773c");
  }

  @Test
  void ipv6InIpv6IsCompressedTwice() throws WireException {
    Ipv6Packet inner = udp(5683, 61617);
    Ipv6Packet packet = Ipv6Packet.of(FROM, TO, 64, Protocol.IPV6, inner.encode());
    byte[] compressed = encode(packet, NhcSupport.COMPLETE);
    assertThat(Hex.format(compressed)).startsWith("7e77ee7e77f11633b1");
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  @ParameterizedTest
  @CsvSource({
    // SPI, sequence number, ICV octets, expected (docs/protocol.md section 9)
    "1, 5, 12, eb d0 3b 0005",
    "1, 65536, 12, eb d2 3b 00010000",
    "256, 5, 12, eb d4 3b 00000100 0005",
    "-1, 4294967295, 16, eb de 3b 05 ffffffff ffffffff",
    "1, 5, 16, eb d8 3b 05 0005",
    "1, 5, 0, eb d8 3b 01 0005"
  })
  void ahTakesTheShortestFormThatHoldsItsValues(int spi, long sequence, int icv, String expected)
      throws WireException {
    byte[] value = new byte[icv];
    Arrays.fill(value, (byte) 0xab);
    Ipv6Packet packet =
        Ipv6Packet.of(FROM, TO, 64, 59, CONTENT)
            .withExtensions(List.of(new ExtensionHeader.Authentication(0, spi, sequence, value)));
    byte[] compressed = encode(packet, NhcSupport.IPSEC);
    assertThat(Hex.format(compressed))
        .startsWith("7e77" + expected.replace(" ", "") + Hex.format(value));
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  @Test
  void udpBehindAhIsCompressedAndKeepsItsChecksum() throws WireException {
    Ipv6Packet packet =
        udp(0xf0b1, 0xf0b2)
            .withExtensions(
                List.of(
                    new RplOption(0, 0, 128).header(),
                    new ExtensionHeader.Authentication(0, 1, 7, new byte[12])));
    byte[] compressed = encode(packet, NhcSupport.IPSEC);
    assertThat(Hex.format(compressed))
        .startsWith("7e77e106630400000080ebd10007" + "00".repeat(12) + "f312");
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  @Test
  void anAhWithReservedBitsGoesInline() throws WireException {
    Ipv6Packet packet =
        Ipv6Packet.of(FROM, TO, 64, 59, CONTENT)
            .withExtensions(List.of(new ExtensionHeader.Authentication(1, 1, 7, new byte[12])));
    byte[] compressed = encode(packet, NhcSupport.IPSEC);
    assertThat(Hex.format(compressed)).startsWith("7a7733");
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  @ParameterizedTest
  @CsvSource({
    // SPI and sequence number, expected (docs/protocol.md section 9)
    "00000001 00000005, ed e0 0005",
    "00000002 00000005, ed e4 02 0005",
    "00000000 00000005, ed e4 00 0005",
    "000000ff 00010000, ed e6 ff 00010000",
    "00000100 00000005, ed e8 0100 0005",
    "0000ffff 0000ffff, ed e8 ffff ffff",
    "11000001 00000005, ed ec 11000001 0005",
    "ffffffff ffffffff, ed ee ffffffff ffffffff"
  })
  void espTakesTheShortestFormThatHoldsItsValues(String header, String expected)
      throws WireException {
    byte[] esp = Hex.parse(header.replace(" ", "") + "aabbccddeeff");
    Ipv6Packet packet = Ipv6Packet.of(FROM, TO, 64, Protocol.ESP, esp);
    byte[] compressed = encode(packet, NhcSupport.IPSEC);
    assertThat(Hex.format(compressed))
        .isEqualTo("7e77" + expected.replace(" ", "") + "aabbccddeeff");
    assertThat(decode(compressed)).isEqualTo(packet);
    byte[] firstImplementation = Hex.parse(Hex.format(compressed).replaceFirst("7e77ed", "7e77eb"));
    assertThat(decode(firstImplementation)).isEqualTo(packet);
  }

  @Test
  void espInsideAhIsCompressedToo() throws WireException {
    byte[] esp = Hex.parse("0000000100000009aabb");
    Ipv6Packet packet =
        Ipv6Packet.of(FROM, TO, 64, Protocol.ESP, esp)
            .withExtensions(List.of(new ExtensionHeader.Authentication(0, 1, 7, new byte[12])));
    byte[] compressed = encode(packet, NhcSupport.IPSEC);
    assertThat(Hex.format(compressed)).isEqualTo("7e77ebd10007" + "00".repeat(12) + "ede00009aabb");
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  @Test
  void compressionInsideEspIsRefused() throws WireException {
    byte[] compressed = Hex.parse("7e77ede10005aabbccdd");
    refuses(Drop.NHC_UNKNOWN, () -> decode(compressed));
  }

  @ParameterizedTest
  @CsvSource({
    // the values of AH or ESP, and the saving
    "00000001 00000005, 5", // SPI 1: 2 of 8 octets and a next header octet
    "11000001 00000005, 1",
    "ffffffff ffffffff, -1" // nothing is elided, and there are two NHC octets
  })
  void bothSidesCountTheSameOctetsSaved(String header, int octets) throws WireException {
    byte[] esp = Hex.parse(header.replace(" ", "") + "aabbccddeeff");
    checkSaving(Ipv6Packet.of(FROM, TO, 64, Protocol.ESP, esp), octets);
    Ipv6Packet upwards =
        Ipv6Packet.of(FROM, TO, 64, Protocol.ESP, esp)
            .withExtensions(List.of(new RplOption(0, 0, 128).header()));
    checkSaving(upwards, octets);
  }

  @Test
  void udpBehindACompressedAhIsPartOfTheSaving() throws WireException {
    ExtensionHeader ah = new ExtensionHeader.Authentication(0, 1, 7, new byte[12]);
    Ipv6Packet plain = Ipv6Packet.of(FROM, TO, 64, 59, CONTENT).withExtensions(List.of(ah));
    checkSaving(plain, 8);
    Ipv6Packet udp = udp(0xf0b1, 0xf0b2).withExtensions(List.of(ah));
    checkSaving(udp, 8 + 1 + 8 - 4);
  }

  /**
   * The saving also equals the difference to the form for a neighbour that gets these headers
   * inline.
   */
  private static void checkSaving(Ipv6Packet packet, int octets) throws WireException {
    LowpanCodec codec = new LowpanCodec(MESH, 0);
    LowpanCodec.Encoded encoded =
        codec.encodeCounted(packet.encode(), A, B, 102, NeighbourForms.whole(NhcSupport.IPSEC));
    byte[] payload = encoded.payloads().getFirst();
    assertThat(encoded.saving()).isEqualTo(new IpsecSaving(true, octets));
    assertThat(encode(packet, NhcSupport.CONTIKI_NG)).hasSize(payload.length + octets);
    assertThat(codec.accept(payload, A, B, 0).orElseThrow().saving()).isEqualTo(encoded.saving());
    assertThat(
            codec
                .encodeCounted(
                    udp(1, 2).encode(), A, B, 102, NeighbourForms.whole(NhcSupport.IPSEC))
                .saving())
        .isEqualTo(IpsecSaving.NONE);
  }

  @ParameterizedTest
  @EnumSource(NhcSupport.class)
  void ahAndEspReachAnyNeighbour(NhcSupport nhc) throws WireException {
    Ipv6Packet packet =
        Ipv6Packet.of(FROM, TO, 64, Protocol.ESP, Hex.parse("0000000100000009aabb"))
            .withExtensions(
                List.of(
                    new RplOption(0, 0, 128).header(),
                    new ExtensionHeader.Authentication(0, 1, 7, new byte[12])));
    assertThat(decode(encode(packet, nhc))).isEqualTo(packet);
  }

  @Test
  void tooManyCompressedHeadersAreRefused() throws WireException {
    byte[] many = Hex.parse("7e77" + "e706000000000000".repeat(16) + "e63b06000000000000");
    refuses(Drop.NHC_TOO_MANY_HEADERS, () -> decode(many));
  }

  private static void checkHeader(ExtensionHeader header, String expected) throws WireException {
    Ipv6Packet packet = Ipv6Packet.of(FROM, TO, 64, 59, CONTENT).withExtensions(List.of(header));
    byte[] compressed = encode(packet, NhcSupport.COMPLETE);
    assertThat(Hex.format(compressed)).startsWith("7e77" + expected.replace(" ", ""));
    assertThat(decode(compressed)).isEqualTo(packet);
  }

  private static Ipv6Packet udp(int source, int destination) {
    return Ipv6Packet.of(
        FROM, TO, 64, Protocol.UDP, new Udp(source, destination, CONTENT).encode(FROM, TO));
  }

  private static byte[] encode(Ipv6Packet packet, NhcSupport nhc) throws WireException {
    List<byte[]> payloads = new LowpanCodec(MESH, 0).encode(packet.encode(), A, B, 102, nhc);
    assertThat(payloads).hasSize(1);
    return payloads.getFirst();
  }

  private static Ipv6Packet decode(byte[] payload) throws WireException {
    return Ipv6Packet.parse(new LowpanCodec(MESH, 0).accept(payload, A, B, 0).orElseThrow().ipv6());
  }
}
