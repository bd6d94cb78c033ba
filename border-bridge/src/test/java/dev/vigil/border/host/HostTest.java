package dev.vigil.border.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.WireAssertions;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostTest {
  private static final Ipv6Address SELF = Ipv6Address.linkLocal(1);
  private static final Ipv6Address PEER = Ipv6Address.linkLocal(2);

  private final List<HostDrop> drops = new ArrayList<>();
  private final List<UdpDatagram> datagrams = new ArrayList<>();
  private final Host host = new Host(drops::add);

  @BeforeEach
  void configure() {
    host.addAddress(SELF);
    host.bind(5683, datagrams::add);
  }

  private static Ipv6Packet udp(Ipv6Address from, Ipv6Address to, int port) {
    byte[] message = new Udp(7, port, new byte[] {1, 2, 3}).encode(from, to);
    return Ipv6Packet.of(from, to, 64, Protocol.UDP, message);
  }

  private static Icmpv6 icmp(Optional<Ipv6Packet> packet) throws WireException {
    Ipv6Packet reply = packet.orElseThrow();
    assertThat(reply.destination()).isEqualTo(PEER);
    return Icmpv6.parse(reply.payload(), reply.source(), reply.destination());
  }

  @Test
  void handsADatagramToItsPort() throws WireException {
    assertThat(host.receive(udp(PEER, SELF, 5683), 0)).isEmpty();
    assertThat(datagrams).singleElement().extracting(UdpDatagram::sourcePort).isEqualTo(7);
    host.unbind(5683);
    assertThat(icmp(host.receive(udp(PEER, SELF, 5683), 0)).code()).isEqualTo(4);
  }

  @Test
  void countsDatagramsThatAReceiverRefuses() throws WireException {
    host.bind(5684, datagram -> false);
    assertThat(host.receive(udp(PEER, SELF, 5684), 0)).isEmpty();
    assertThat(drops).containsExactly(HostDrop.RECEIVER_REFUSED);
  }

  @Test
  void aDatagramFromTheUnspecifiedAddressIsDropped() throws WireException {
    assertThat(host.receive(udp(Ipv6Address.UNSPECIFIED, SELF, 5683), 0)).isEmpty();
    assertThat(datagrams).isEmpty();
    assertThat(drops).containsExactly(HostDrop.HEADER_REFUSED);
  }

  @Test
  void refusesAWrongChecksum() {
    Ipv6Packet packet = udp(PEER, SELF, 5683);
    byte[] message = packet.payload().clone();
    message[10] ^= 1;
    WireAssertions.refuses(
        Drop.UDP_CHECKSUM, () -> host.receive(packet.withPayload(Protocol.UDP, message), 0));
  }

  @Test
  void sendsNoErrorAboutErrorsMulticastOrUnspecifiedSources() throws WireException {
    byte[] error = new Icmpv6(1, 4, new byte[60]).encode(PEER, SELF);
    assertThat(host.receive(Ipv6Packet.of(PEER, SELF, 64, Protocol.ICMPV6, error), 0)).isEmpty();
    assertThat(host.receive(udp(PEER, Ipv6Address.ALL_NODES, 9), 0)).isEmpty();
    assertThat(host.receive(udp(Ipv6Address.UNSPECIFIED, SELF, 9), 0)).isEmpty();
    assertThat(host.noRoute(Ipv6Packet.of(PEER, SELF, 64, Protocol.ICMPV6, error), 0)).isEmpty();
  }

  @Test
  void sendsTenErrorsAtOnceAndTenASecond() throws WireException {
    int sent = 0;
    for (int i = 0; i < 100; i++) {
      sent += host.receive(udp(PEER, SELF, 9), 0).isPresent() ? 1 : 0;
    }
    assertThat(sent).isEqualTo(10);
    for (int i = 0; i < 100; i++) {
      sent += host.receive(udp(PEER, SELF, 9), 1_000 + i).isPresent() ? 1 : 0;
    }
    assertThat(sent).isBetween(20, 21);
  }

  @Test
  void anErrorQuotesNoMoreThanTheMinimumMtu() throws WireException {
    byte[] message = new Udp(7, 9, new byte[1_232]).encode(PEER, SELF);
    Ipv6Packet packet = Ipv6Packet.of(PEER, SELF, 64, Protocol.UDP, message);
    assertThat(host.receive(packet, 0).orElseThrow().encode()).hasSize(1_280);
  }

  @Test
  void pointsAtTheUnknownProtocol() throws WireException {
    Ipv6Packet plain = Ipv6Packet.of(PEER, SELF, 64, Protocol.TCP, new byte[20]);
    Icmpv6 problem = icmp(host.receive(plain, 0));
    assertThat(problem.type()).isEqualTo(Icmpv6.PARAMETER_PROBLEM);
    assertThat(problem.code()).isEqualTo(1);
    assertThat(problem.body()[3]).isEqualTo((byte) 6);
    Ipv6Packet extended =
        plain.withExtensions(List.of(new ExtensionHeader.DestinationOptions(new byte[6])));
    assertThat(icmp(host.receive(extended, 0)).body()[3]).isEqualTo((byte) 40);
  }

  @Test
  void pointsAtAnAhThatNoAssociationHasVerified() throws WireException {
    ExtensionHeader ah = new ExtensionHeader.Authentication(0, 1, 7, new byte[12]);
    Ipv6Packet first = udp(PEER, SELF, 5683).withExtensions(List.of(ah));
    Icmpv6 problem = icmp(host.receive(first, 0));
    assertThat(problem.type()).isEqualTo(Icmpv6.PARAMETER_PROBLEM);
    assertThat(problem.code()).isEqualTo(1);
    assertThat(problem.body()[3]).isEqualTo((byte) 6);
    Ipv6Packet second =
        first.withExtensions(List.of(new ExtensionHeader.DestinationOptions(new byte[6]), ah));
    assertThat(icmp(host.receive(second, 0)).body()[3]).isEqualTo((byte) 40);
    assertThat(datagrams).isEmpty();
    assertThat(drops).containsOnly(HostDrop.PROTOCOL_UNKNOWN).hasSize(2);
  }

  @Test
  void refusesSourceRoutesAndUnknownOptions() throws WireException {
    Ipv6Packet packet = udp(PEER, SELF, 5683);
    ExtensionHeader route = SourceRoute.through(SELF, List.of(Ipv6Address.linkLocal(3))).header();
    assertThat(host.receive(packet.withExtensions(List.of(route)), 0)).isEmpty();
    byte[] discard = {(byte) 0x40 | 9, 4, 0, 0, 0, 0};
    assertThat(
            host.receive(packet.withExtensions(List.of(new ExtensionHeader.HopByHop(discard))), 0))
        .isEmpty();
    assertThat(datagrams).isEmpty();
    assertThat(drops).containsOnly(HostDrop.HEADER_REFUSED).hasSize(2);
  }
}
