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
 * A UDP socket over the radio, for code that needs a {@link DatagramSocket} (Scandium's DTLS): a
 * port of the bridge's own IPv6 host. Peers' addresses are {@link Inet6Address}es without scope.
 *
 * <p>The socket is bound until it is closed, and receives unicast only. As with a kernel's socket,
 * datagrams beyond its capacity are lost: at most {@link #MAX_WAITING} wait for a reader. The
 * pipeline and the mesh count the datagrams that they cannot carry. Timeouts and other options have
 * no effect.
 */
public final class MeshSocket extends DatagramSocket {
  /** Datagrams that wait for a reader. */
  static final int MAX_WAITING = 256;

  private final UdpTransport udp;
  private final int port;

  /**
   * Received datagrams. An empty entry means that the socket is closed; each reader that takes it
   * puts it back.
   */
  private final BlockingQueue<Optional<UdpDatagram>> waiting =
      new ArrayBlockingQueue<>(MAX_WAITING);

  /** Makes a bound socket. */
  public MeshSocket(UdpTransport udp, int port) throws SocketException {
    // The socket stays unbound in the kernel, which carries nothing for it.
    super((SocketAddress) null);
    this.udp = udp;
    this.port = port;
    udp.bind(port, this::received);
  }

  /** Called on the pipeline thread. */
  private boolean received(UdpDatagram datagram) {
    return !datagram.destination().isMulticast() && waiting.offer(Optional.of(datagram));
  }

  @Override
  public void receive(DatagramPacket packet) throws IOException {
    Optional<UdpDatagram> next;
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
    UdpDatagram datagram = next.get();
    byte[] payload = datagram.payload();
    int length = Math.min(payload.length, packet.getLength());
    System.arraycopy(payload, 0, packet.getData(), packet.getOffset(), length);
    packet.setLength(length);
    packet.setSocketAddress(
        new InetSocketAddress(JdkAddresses.inet(datagram.source()), datagram.sourcePort()));
  }

  @Override
  public void send(DatagramPacket packet) throws IOException {
    if (isClosed()) {
      throw new SocketException("the socket is closed");
    }
    if (!(packet.getAddress() instanceof Inet6Address to)) {
      throw new IOException("the mesh carries IPv6 only");
    }
    if (packet.getLength() > Host.MAX_UDP_PAYLOAD) {
      throw new IOException(
          "%d octets are more than a mote's %d"
              .formatted(packet.getLength(), Host.MAX_UDP_PAYLOAD));
    }
    byte[] payload = new byte[packet.getLength()];
    System.arraycopy(packet.getData(), packet.getOffset(), payload, 0, payload.length);
    udp.send(port, JdkAddresses.of(to), packet.getPort(), payload, error -> {});
  }

  @Override
  public void close() {
    if (!isClosed()) {
      super.close();
      udp.unbind(port);
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
    return JdkAddresses.inet(udp.address());
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
