package dev.vigil.border.host;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket over the radio, for code that is written against sockets (Scandium's DTLS): a port
 * of the bridge's own IPv6 host. Peers' addresses are {@link Inet6Address}es without scope.
 *
 * <p>Bound from the start and for good, to unicast only. As with a kernel's socket, what finds no
 * room is lost: up to {@link #MAX_WAITING} datagrams wait for a reader, and what the pipeline or
 * the mesh cannot carry is counted there. Time limits and other options have no effect.
 */
public final class MeshSocket extends DatagramSocket {
  /** Datagrams that wait for a reader. */
  static final int MAX_WAITING = 256;

  private final Mesh mesh;
  private final int port;

  /** What came; nothing for the end, which wakes one reader, who leaves it for the next. */
  private final BlockingQueue<Optional<Datagram>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

  /** Listens at once. */
  public MeshSocket(Mesh mesh, int port) throws SocketException {
    // Not bound: the kernel carries nothing for this one.
    super((SocketAddress) null);
    this.mesh = mesh;
    this.port = port;
    mesh.bind(port, this::received);
  }

  /** On the pipeline thread. */
  private boolean received(Datagram datagram) {
    return !datagram.destination().isMulticast() && waiting.offer(Optional.of(datagram));
  }

  @Override
  public void receive(DatagramPacket packet) throws IOException {
    Optional<Datagram> next;
    try {
      next = waiting.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    if (isClosed() || next.isEmpty()) {
      waiting.offer(Optional.empty());
      throw new SocketException("the socket is closed");
    }
    Datagram datagram = next.get();
    byte[] payload = datagram.payload();
    int length = Math.min(payload.length, packet.getLength());
    System.arraycopy(payload, 0, packet.getData(), packet.getOffset(), length);
    packet.setLength(length);
    packet.setSocketAddress(
        new InetSocketAddress(Addresses.inet(datagram.source()), datagram.sourcePort()));
  }

  @Override
  public void send(DatagramPacket packet) throws IOException {
    if (isClosed()) {
      throw new SocketException("the socket is closed");
    }
    if (!(packet.getAddress() instanceof Inet6Address to)) {
      throw new IOException("the mesh speaks IPv6 only");
    }
    if (packet.getLength() > Host.MAX_UDP_PAYLOAD) {
      throw new IOException("larger than a mote can hold: " + packet.getLength());
    }
    byte[] payload = new byte[packet.getLength()];
    System.arraycopy(packet.getData(), packet.getOffset(), payload, 0, payload.length);
    mesh.send(port, Addresses.of(to), packet.getPort(), payload, lost -> {});
  }

  @Override
  public void close() {
    if (!isClosed()) {
      super.close();
      mesh.unbind(port);
      waiting.clear();
      waiting.offer(Optional.empty());
    }
  }

  @Override
  public boolean isBound() {
    return true;
  }

  @Override
  public InetAddress getLocalAddress() {
    return Addresses.inet(mesh.address());
  }

  @Override
  public int getLocalPort() {
    return port;
  }

  @Override
  public @Nullable SocketAddress getLocalSocketAddress() {
    return new InetSocketAddress(getLocalAddress(), getLocalPort());
  }
}
