package dev.vigil.border.sixlowpan;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mode of IPHC (RFC 6282, section 3), written out by hand from the RFC's tables. */
class IphcTest {
  /** Interface identifier 0212:4bff:fe00:000a. */
  private static final LinkAddress A = LinkAddress.of(new Eui64(0x00124bfffe00000aL));

  private static final LinkAddress B = new LinkAddress.Short(0x0b0b);

  private static final Contexts CONTEXTS =
      new Contexts(
          List.of(
              new Contexts.Context(0, address("fd00::"), 64),
              new Contexts.Context(3, address("2001:db8:1::"), 48),
              new Contexts.Context(5, address("2001:db8:2:3:4444::"), 80),
              new Contexts.Context(7, address("2001:db8:7::1234"), 128)));

  @ParameterizedTest(name = "{0}: {1} > {2}")
  @CsvSource({
    // stateless source: full, 64 bits, 16 bits, elided; destination always elided
    "7a03 3b 20010db8000000000000000000000001, 2001:db8::1, fe80::ff:fe00:b0b",
    "7a13 3b 0000000000000007, fe80::7, fe80::ff:fe00:b0b",
    "7a23 3b 1234, fe80::ff:fe00:1234, fe80::ff:fe00:b0b",
    "7a33 3b, fe80::212:4bff:fe00:a, fe80::ff:fe00:b0b",
    // stateful source: unspecified, 64 bits, 16 bits, elided, context 0
    "7a43 3b, ::, fe80::ff:fe00:b0b",
    "7a53 3b 0000000000000007, fd00::7, fe80::ff:fe00:b0b",
    "7a63 3b 1234, fd00::ff:fe00:1234, fe80::ff:fe00:b0b",
    "7a73 3b, fd00::212:4bff:fe00:a, fe80::ff:fe00:b0b",
    // other contexts: 48 bits leave zeros before the identifier; 80 and 128 bits cover some of it
    "7af3 30 3b, 2001:db8:1:0:212:4bff:fe00:a, fe80::ff:fe00:b0b",
    "7af3 50 3b, 2001:db8:2:3:4444:4bff:fe00:a, fe80::ff:fe00:b0b",
    "7af3 70 3b, 2001:db8:7::1234, fe80::ff:fe00:b0b",
    "7ad3 50 3b 444400aa00bb00cc, 2001:db8:2:3:4444:aa:bb:cc, fe80::ff:fe00:b0b",
    "7ab7 03 3b, fe80::212:4bff:fe00:a, 2001:db8:1:0:0:ff:fe00:b0b",
    // destination, stateless and stateful
    "7a30 3b 20010db8000000000000000000000001, fe80::212:4bff:fe00:a, 2001:db8::1",
    "7a31 3b 0000000000000007, fe80::212:4bff:fe00:a, fe80::7",
    "7a32 3b 1234, fe80::212:4bff:fe00:a, fe80::ff:fe00:1234",
    "7a35 3b 0000000000000007, fe80::212:4bff:fe00:a, fd00::7",
    "7a36 3b 1234, fe80::212:4bff:fe00:a, fd00::ff:fe00:1234",
    "7a37 3b, fe80::212:4bff:fe00:a, fd00::ff:fe00:b0b",
    // multicast: full, 48, 32, 8 bits, and on a context's prefix
    "7a38 3b ff021111000000000000000000000001, fe80::212:4bff:fe00:a, ff02:1111::1",
    "7a39 3b 0e1234567890, fe80::212:4bff:fe00:a, ff0e::12:3456:7890",
    "7a3a 3b 05123456, fe80::212:4bff:fe00:a, ff05::12:3456",
    "7a3b 3b 1a, fe80::212:4bff:fe00:a, ff02::1a",
    "7a3c 3b 3505 00010002, fe80::212:4bff:fe00:a, ff35:540:fd00::1:2",
    "7abc 03 3b 3505 00010002, fe80::212:4bff:fe00:a, ff35:530:2001:db8:1:0:1:2"
  })
  void everyAddressFormIsWrittenAndReadAsTheTablesSay(String hex, String source, String destination)
      throws WireException {
    Ipv6Packet packet =
        new Ipv6Packet(0, 0, 64, address(source), address(destination), List.of(), 59, new byte[0]);
    checkBothWays(hex, packet);
  }

  @ParameterizedTest(name = "{0}: class {1}, label {2}, hop limit {3}")
  @CsvSource({
    "6233 41 012345 3b, 05, 012345, 64",
    "6233 5d 0abcde 3b, 75, 0abcde, 64",
    "6a33 412345 3b, 01, 012345, 64",
    "6a33 0abcde 3b, 00, 0abcde, 64",
    "7233 6f 3b, bd, 0, 64",
    "7a33 3b, 00, 0, 64",
    "7933 3b, 00, 0, 1",
    "7b33 3b, 00, 0, 255",
    "7833 3b 00, 00, 0, 0",
    "7833 3b 3f, 00, 0, 63",
    "6033 c3 000001 3b 02, 0f, 1, 2"
  })
  void trafficClassFlowLabelAndHopLimitAreWrittenAndRead(
      String hex, String trafficClass, String label, int hopLimit) throws WireException {
    Ipv6Packet packet =
        new Ipv6Packet(
            Integer.parseInt(trafficClass, 16),
            Integer.parseInt(label, 16),
            hopLimit,
            address("fe80::212:4bff:fe00:a"),
            address("fe80::ff:fe00:b0b"),
            List.of(),
            Protocol.NO_NEXT_HEADER,
            new byte[0]);
    checkBothWays(hex, packet);
  }

  @Test
  void aContextIdentifierOctetForContext0IsUnderstood() throws WireException {
    // Contiki-NG writes this octet although it could omit it.
    byte[] longer = Hex.parse("7af7003b");
    byte[] shorter = Hex.parse("7a773b");
    assertThat(decode(longer)).isEqualTo(decode(shorter));
  }

  @ParameterizedTest
  @CsvSource({
    "7a, TRUNCATED",
    "7a33, TRUNCATED",
    "7a343b, IPHC_RESERVED_MODE",
    "7a3d3b, IPHC_RESERVED_MODE",
    "7a3e3b, IPHC_RESERVED_MODE",
    "7a3f3b, IPHC_RESERVED_MODE",
    "7af3203b, IPHC_CONTEXT_UNKNOWN",
    "7ab70f3b, IPHC_CONTEXT_UNKNOWN",
    "7abc053b0001020304050607, IPHC_RESERVED_MODE",
    "7e33, TRUNCATED",
    "7e33d0, NHC_UNKNOWN",
    "7e33f8, NHC_UNKNOWN",
    "7e33ea3b, NHC_UNKNOWN",
    "7e33eb90, NHC_UNKNOWN",
    "7e33f016331633c3, TRUNCATED",
    "7e33e23b05030405060708, NHC_LENGTH",
    "7e33ebd83b000001, AH_LENGTH",
    "7e33e03b0663040000, TRUNCATED",
    "42fb, HC1_OBSOLETE",
    "0011, NOT_LOWPAN",
    "40, DISPATCH_UNKNOWN",
    "f0, DISPATCH_UNKNOWN",
    "41450000, IP_VERSION"
  })
  void namesEachMalformation(String hex, Drop reason) throws WireException {
    byte[] payload = Hex.parse(hex);
    refuses(reason, () -> decode(payload));
  }

  private static void checkBothWays(String hex, Ipv6Packet packet) throws WireException {
    byte[] compressed = Hex.parse(hex.replace(" ", ""));
    assertThat(Ipv6Packet.parse(decode(compressed))).isEqualTo(packet);
    assertThat(
            new LowpanCodec(CONTEXTS, 0)
                .encode(packet.encode(), A, B, LowpanCodec.MIN_PAYLOAD, NhcSupport.COMPLETE))
        .containsExactly(compressed);
  }

  private static byte[] decode(byte[] payload) throws WireException {
    return new LowpanCodec(CONTEXTS, 0).accept(payload, A, B, 0).orElseThrow().ipv6();
  }

  private static Ipv6Address address(String text) {
    try {
      return Ipv6Address.parse(text);
    } catch (WireException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
