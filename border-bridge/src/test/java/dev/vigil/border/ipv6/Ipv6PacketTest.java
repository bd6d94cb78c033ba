package dev.vigil.border.ipv6;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Ipv6PacketTest {
  @Test
  void recordedPacketsEncodeToTheSameOctetsAndChecksums() throws WireException {
    List<byte[]> packets = new ArrayList<>();
    Vectors.linux().forEach(packet -> packets.add(packet.ipv6()));
    for (Vectors.RecordedFrame recorded : Vectors.all()) {
      if (recorded.ipv6() != null) {
        packets.add(recorded.ipv6());
      }
    }
    int checked = 0;
    for (byte[] octets : packets) {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      assertThat(packet.encode()).isEqualTo(octets);
      boolean whole =
          packet.extensions().stream().noneMatch(ExtensionHeader.Fragment.class::isInstance);
      if (packet.protocol() == Protocol.UDP && whole) {
        Udp udp = Udp.parse(packet.payload(), packet.source(), packet.finalDestination());
        assertThat(udp.encode(packet.source(), packet.finalDestination()))
            .isEqualTo(packet.payload());
        checked++;
      } else if (packet.protocol() == Protocol.ICMPV6) {
        Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.finalDestination());
        assertThat(icmp.encode(packet.source(), packet.finalDestination()))
            .isEqualTo(packet.payload());
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(700);
  }

  @Test
  void readsTheRplOptionAndTheSourceRoute() throws WireException {
    Ipv6Packet up =
        Ipv6Packet.parse(
            Hex.parse(
                "60000000000c0040fd000000000000000202000200020002fd0000000000000002010001000100013a00"
                    + "63040000014380000000"));
    ExtensionHeader.HopByHop header = (ExtensionHeader.HopByHop) up.extensions().getFirst();
    RplOption option = RplOption.find(header).orElseThrow();
    assertThat(option).isEqualTo(new RplOption(0, 0, 323));
    assertThat(RplOption.isOnlyOption(header)).isTrue();
    assertThat(option.header().body()).isEqualTo(header.body());
  }

  @Test
  void aSourceRouteElidesPrefixesAndEndsAtItsLastAddress() throws WireException {
    Ipv6Address first = Ipv6Address.parse("fd00::202:2:2:2");
    Ipv6Address second = Ipv6Address.parse("fd00::203:3:3:3");
    Ipv6Address last = Ipv6Address.parse("fd00::204:4:4:4");
    SourceRoute route = SourceRoute.through(first, List.of(second, last));
    ExtensionHeader.Routing header = route.header();
    assertThat(header.length()).isEqualTo(24);
    assertThat(SourceRoute.parse(header, first)).isEqualTo(route);
    Ipv6Packet packet =
        Ipv6Packet.of(Ipv6Address.parse("fd00::1"), first, 64, Protocol.NO_NEXT_HEADER, new byte[0])
            .withExtensions(List.of(header));
    assertThat(packet.finalDestination()).isEqualTo(last);
    assertThat(Ipv6Packet.parse(packet.encode())).isEqualTo(packet);
    for (int intermediate = 0; intermediate < 16; intermediate++) {
      for (int end = 0; end < 16; end++) {
        SourceRoute odd =
            new SourceRoute(
                1, intermediate, end, List.of(first.prefixOf(8 * intermediate, second), last));
        ExtensionHeader.Routing written = odd.header();
        Ipv6Address sharing = last.prefixOf(8 * end, first);
        assertThat(SourceRoute.parse(written, first).addresses().getFirst())
            .isEqualTo(first.prefixOf(8 * intermediate, second));
        assertThat(SourceRoute.parse(written, sharing).addresses().getLast()).isEqualTo(last);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    // RFC 5952, section 4
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:0DB8::0001, 2001:db8::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "0:0:0:0:0:0:0:0, ::",
    "0:0:0:0:0:0:0:1, ::1",
    "fe80:0:0:0:0:0:0:0, fe80::",
    "ff02::1A, ff02::1a"
  })
  void writesAddressesTheRecommendedWay(String given, String recommended) throws WireException {
    Ipv6Address address = Ipv6Address.parse(given);
    assertThat(address).hasToString(recommended);
    assertThat(Ipv6Address.parse(recommended)).isEqualTo(address);
    assertThat(Ipv6Address.of(address.octets())).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":::",
        "1::2::3",
        "12345::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7::8",
        "g::",
        "fe80::1%eth0",
        "::1:",
        "-1::"
      })
  void refusesMalformedAddresses(String text) {
    refuses(Drop.BAD_TEXT, () -> Ipv6Address.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "40, IP_VERSION, 45000000",
    "39, TRUNCATED, 60000000",
    "44, IP_LENGTH, 600000000003",
    "44, TRUNCATED, 6000000000040040",
    "48, TRUNCATED, 6000000000082b40",
    "48, AH_LENGTH, 6000000000083340"
  })
  void namesEachMalformation(int size, Drop reason, String start) throws WireException {
    byte[] octets = new byte[size];
    byte[] given = Hex.parse(start);
    System.arraycopy(given, 0, octets, 0, given.length);
    if (start.endsWith("2b40")) {
      octets[41] = 1;
    }
    refuses(reason, () -> Ipv6Packet.parse(octets));
  }

  @Test
  void refusesTooManyExtensionHeaders() {
    List<ExtensionHeader> many = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      many.add(new ExtensionHeader.DestinationOptions(new byte[6]));
    }
    Ipv6Packet packet =
        Ipv6Packet.of(Ipv6Address.LOOPBACK, Ipv6Address.LOOPBACK, 1, 59, new byte[0])
            .withExtensions(many);
    refuses(Drop.EXTENSION_HEADER_TOO_MANY, () -> Ipv6Packet.parse(packet.encode()));
  }

  @Test
  void udpWithoutChecksumOrWithAWrongLengthIsRefused() throws WireException {
    Ipv6Address a = Ipv6Address.parse("fd00::1");
    Ipv6Address b = Ipv6Address.parse("fd00::2");
    byte[] message = new Udp(5683, 5683, new byte[] {1, 2, 3}).encode(a, b);
    byte[] unsummed = message.clone();
    unsummed[6] = 0;
    unsummed[7] = 0;
    refuses(Drop.UDP_CHECKSUM, () -> Udp.parse(unsummed, a, b));
    byte[] longer = Arrays.copyOf(message, 12);
    refuses(Drop.UDP_LENGTH, () -> Udp.parse(longer, a, b));
    byte[] changed = message.clone();
    changed[10] ^= 4;
    refuses(Drop.UDP_CHECKSUM, () -> Udp.parse(changed, a, b));
  }

  @Test
  void aChecksumThatComesOutZeroIsSentAsAllOnes() throws WireException {
    Ipv6Address a = Ipv6Address.parse("fd00::1");
    Ipv6Address b = Ipv6Address.parse("fd00::2");
    int found = 0;
    for (int port = 0; port < 0x10000; port++) {
      byte[] message = new Udp(port, 0, new byte[0]).encode(a, b);
      if (message[6] == -1 && message[7] == -1) {
        Udp.parse(message, a, b);
        found++;
      }
      assertThat(message[6] | message[7]).isNotZero();
    }
    assertThat(found).isPositive();
  }
}
