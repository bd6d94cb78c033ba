package dev.vigil.border.bridge;

import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.ether.TestNode;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.Datagram;
import dev.vigil.border.sixlowpan.IpsecSaving;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A mote in a test: IPv6 over 6LoWPAN over frames over real UDP to the ether. */
final class TestMote implements AutoCloseable {
  final Eui64 eui64;
  final TestNode node;
  private final Ipv6Address prefix;
  private final LowpanCodec codec;
  private int sequence;

  /** The compressed headers that this mote sends. */
  NhcSupport nhc = NhcSupport.CONTIKI_NG;

  /** Octets that compressed AH and ESP saved in the last received packet. */
  IpsecSaving saving = IpsecSaving.NONE;

  /** Whether the last received packet was compressed with a context. */
  boolean contextUsed;

  /** Secures a frame before it is sent. */
  UnaryOperator<Frame> seal = frame -> frame;

  TestMote(int etherPort, long eui64) throws IOException {
    this(etherPort, eui64, MeshConfig.DEFAULT_PREFIX);
  }

  TestMote(int etherPort, long eui64, Ipv6Address prefix) throws IOException {
    this(etherPort, eui64, prefix, Contexts.mesh(prefix));
  }

  /**
   * @param contexts known to the mote
   */
  TestMote(int etherPort, long eui64, Ipv6Address prefix, Contexts contexts) throws IOException {
    this.prefix = prefix;
    this.codec = new LowpanCodec(contexts, 0x1234);
    this.eui64 = new Eui64(eui64);
    this.node = new TestNode("127.0.0.1", etherPort, this.eui64);
  }

  Ipv6Address linkLocal() {
    return Ipv6Address.linkLocal(eui64.interfaceId());
  }

  Ipv6Address mesh() {
    return new Ipv6Address(prefix.high(), eui64.interfaceId());
  }

  static Ipv6Address gateway() {
    return Ipv6Address.linkLocal(MeshConfig.DEFAULT_EUI64.interfaceId());
  }

  /** Sends a packet to the gateway, which must acknowledge each frame. */
  void send(Ipv6Packet packet) throws Exception {
    boolean multicast = packet.destination().isMulticast();
    LinkAddress to = multicast ? LinkAddress.BROADCAST : LinkAddress.of(MeshConfig.DEFAULT_EUI64);
    for (byte[] payload : codec.encode(packet.encode(), LinkAddress.of(eui64), to, 80, nhc)) {
      sequence = sequence + 1 & 0xff;
      Frame frame = Frame.data(sequence, 0xabcd, to, LinkAddress.of(eui64), !multicast, payload);
      node.send(seal.apply(frame).encode());
      if (!multicast) {
        Integer acknowledged = node.acknowledged();
        while (acknowledged != null && acknowledged != sequence) {
          acknowledged = node.acknowledged();
        }
      }
    }
  }

  /** The next packet for this mote. */
  Ipv6Packet receive() throws InterruptedException, WireException {
    Ipv6Packet packet = receive(30);
    if (packet == null) {
      throw new AssertionError("no packet within 30 seconds");
    }
    return packet;
  }

  /** Repeats a packet until an answer arrives, because the gateway may be overloaded. */
  Ipv6Packet ask(Ipv6Packet question) throws Exception {
    for (int i = 0; i < 30; i++) {
      send(question);
      Ipv6Packet answer = receive(1);
      if (answer != null) {
        return answer;
      }
    }
    throw new AssertionError("no answer to 30 requests");
  }

  /** The next packet for this mote; null if no frame arrives in that time. */
  private @Nullable Ipv6Packet receive(int seconds) throws InterruptedException, WireException {
    while (true) {
      byte[] psdu = node.receive(seconds);
      if (psdu == null) {
        return null;
      }
      Frame frame = Frame.parse(psdu);
      if (!frame.destination().equals(LinkAddress.of(eui64))) {
        continue;
      }
      Optional<Datagram> datagram =
          codec.accept(frame.payload(), frame.source(), frame.destination(), 0);
      if (datagram.isPresent()) {
        saving = datagram.get().saving();
        contextUsed = datagram.get().contextUsed();
        return Ipv6Packet.parse(datagram.get().ipv6());
      }
    }
  }

  Ipv6Packet echoRequest(Ipv6Address to, int dataOctets) {
    byte[] message =
        new Icmpv6(Icmpv6.ECHO_REQUEST, 0, new byte[4 + dataOctets]).encode(linkLocal(), to);
    return Ipv6Packet.of(linkLocal(), to, 64, Protocol.ICMPV6, message);
  }

  Ipv6Packet udp(Ipv6Address to, int port, byte[] payload) {
    byte[] message = new Udp(40_000, port, payload).encode(linkLocal(), to);
    return Ipv6Packet.of(linkLocal(), to, 64, Protocol.UDP, message);
  }

  @Override
  public void close() {
    node.close();
  }
}
