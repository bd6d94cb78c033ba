package dev.vigil.gateway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;

/**
 * A NAT between one client and a server. It can drop its mapping, and lead to another server as a
 * load balancer does.
 */
public final class NatRelay implements AutoCloseable {
  private static final int DATAGRAM = 2048;

  private volatile InetSocketAddress server;
  private final DatagramSocket inside;
  private volatile DatagramSocket outside;
  private volatile SocketAddress client;

  public NatRelay(InetSocketAddress server) throws IOException {
    this.server = server;
    this.inside = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    this.outside = openOutside();
    this.client = server;
    Thread.ofVirtual().start(this::towardsServer);
  }

  public int port() {
    return inside.getLocalPort();
  }

  /** Changes the mapping: the server then sees the client at another address. */
  public void moveClient() throws IOException {
    DatagramSocket before = outside;
    outside = openOutside();
    before.close();
  }

  /** Sends further datagrams of the client to another server. */
  public void leadTo(InetSocketAddress another) {
    server = another;
  }

  private DatagramSocket openOutside() throws IOException {
    DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> towardsClient(socket));
    return socket;
  }

  private void towardsServer() {
    forward(
        inside,
        packet -> {
          client = packet.getSocketAddress();
          packet.setSocketAddress(server);
          outside.send(packet);
        });
  }

  private void towardsClient(DatagramSocket from) {
    forward(
        from,
        packet -> {
          packet.setSocketAddress(client);
          inside.send(packet);
        });
  }

  private interface Hop {
    void pass(DatagramPacket packet) throws IOException;
  }

  private static void forward(DatagramSocket from, Hop hop) {
    while (!from.isClosed()) {
      DatagramPacket packet = new DatagramPacket(new byte[DATAGRAM], DATAGRAM);
      try {
        from.receive(packet);
        hop.pass(packet);
      } catch (SocketException closed) {
        // Either socket may be closed; the loop ends when the receiving one is.
        continue;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    inside.close();
    outside.close();
  }
}
