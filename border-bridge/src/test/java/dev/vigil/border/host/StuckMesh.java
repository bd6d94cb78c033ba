package dev.vigil.border.host;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A mesh that takes everything and never gets round to sending it. */
final class StuckMesh implements Mesh {
  static final Ipv6Address SELF = new Ipv6Address(0xfd00L << 48, 1);

  /** Those who sent something and wait to hear of it. */
  final List<Sent> waiting = new ArrayList<>();

  final List<Datagram> sent = new ArrayList<>();
  final Map<Integer, UdpReceiver> ports = new HashMap<>();

  @Override
  public boolean send(int sourcePort, Ipv6Address to, int port, byte[] payload, Sent callback) {
    sent.add(new Datagram(SELF, sourcePort, to, port, payload));
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
