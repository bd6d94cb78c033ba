package dev.vigil.gateway.coap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;

/** A router with address translation, between one client and a server, that can forget. */
final class Relay implements AutoCloseable {
  private static final int DATAGRAM = 2048;

  private final InetSocketAddress server;
  private final DatagramSocket near;
  private volatile DatagramSocket far;
  private volatile SocketAddress client;

  Relay(InetSocketAddress server) throws IOException {
    this.server = server;
    this.near = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    this.far = outside();
    this.client = server;
    Thread.ofVirtual().start(this::towardsServer);
  }

  int port() {
    return near.getLocalPort();
  }

  /** From now on the server sees the client at another address. */
  void moveClient() throws IOException {
    DatagramSocket before = far;
    far = outside();
    before.close();
  }

  private DatagramSocket outside() throws IOException {
    DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> towardsClient(socket));
    return socket;
  }

  private void towardsServer() {
    forward(
        near,
        packet -> {
          client = packet.getSocketAddress();
          packet.setSocketAddress(server);
          far.send(packet);
        });
  }

  private void towardsClient(DatagramSocket from) {
    forward(
        from,
        packet -> {
          packet.setSocketAddress(client);
          near.send(packet);
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
        // Either side; the loop ends when it was ours.
        continue;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    near.close();
    far.close();
  }
}
