package dev.vigil.border.host;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A transport that accepts all datagrams and never sends them. */
final class StuckTransport implements UdpTransport {
  static final Ipv6Address SELF = new Ipv6Address(0xfd00L << 48, 1);

  /** The callbacks of the accepted datagrams. */
  final List<SendCallback> waiting = new ArrayList<>();

  final List<UdpDatagram> sent = new ArrayList<>();
  final Map<Integer, UdpReceiver> ports = new HashMap<>();

  @Override
  public boolean send(
      int sourcePort, Ipv6Address to, int port, byte[] payload, SendCallback callback) {
    sent.add(new UdpDatagram(SELF, sourcePort, to, port, payload));
    return waiting.add(callback);
  }

  @Override
  public void bind(int port, UdpReceiver receiver) {
    ports.put(port, receiver);
  }

  @Override
  public void unbind(int port) {
    ports.remove(port);
  }

  @Override
  public Ipv6Address address() {
    return SELF;
  }
}
