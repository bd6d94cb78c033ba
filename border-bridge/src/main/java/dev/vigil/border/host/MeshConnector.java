package dev.vigil.border.host;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.MapBasedEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.eclipse.californium.elements.UdpEndpointContext;
import org.eclipse.californium.elements.exception.EndpointMismatchException;
import org.jspecify.annotations.Nullable;

/**
 * A Californium connector over the radio: UDP on the bridge's own IPv6 host, plain ("coap").
 *
 * <p>A peer's endpoint context carries its {@link InetSocketAddress} with an {@link Inet6Address}
 * without scope. At most {@link #MAX_PENDING} messages wait for the pipeline. Further messages fail
 * at once as failures to send, and Californium retransmits confirmable ones.
 */
public final class MeshConnector implements Connector {
  /** Messages that may wait for the pipeline. */
  static final int MAX_PENDING = 256;

  private final UdpTransport udp;
  private final int port;
  private final LongSupplier nanoTime;
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable RawDataChannel receiver;
  private volatile @Nullable EndpointContextMatcher matcher;
  private volatile boolean running;

  /**
   * Makes a connector that is bound when Californium starts it.
   *
   * @param nanoTime the clock of Californium's timestamps, as {@link System#nanoTime}
   */
  public MeshConnector(UdpTransport udp, int port, LongSupplier nanoTime) {
    this.udp = udp;
    this.port = port;
    this.nanoTime = nanoTime;
  }

  @Override
  public void start() {
    running = true;
    udp.bind(port, this::received);
  }

  @Override
  public void stop() {
    running = false;
    udp.unbind(port);
  }

  @Override
  public void destroy() {
    stop();
    receiver = null;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public void setRawDataReceiver(RawDataChannel channel) {
    receiver = channel;
  }

  @Override
  public void setEndpointContextMatcher(@Nullable EndpointContextMatcher endpointContextMatcher) {
    matcher = endpointContextMatcher;
  }

  @Override
  public InetSocketAddress getAddress() {
    return new InetSocketAddress(JdkAddresses.inet(udp.address()), port);
  }

  @Override
  public String getProtocol() {
    return "UDP";
  }

  /** The number of messages refused because too many were waiting. */
  public long refused() {
    return refused.get();
  }

  @Override
  public void send(RawData message) {
    if (!running) {
      message.onError(new IOException("the connector is stopped"));
      return;
    }
    EndpointContext destination = message.getEndpointContext();
    EndpointContextMatcher rules = matcher;
    EndpointContext connection = new UdpEndpointContext(message.getInetSocketAddress());
    if (rules != null && !rules.isToBeSent(destination, connection)) {
      message.onError(new EndpointMismatchException("UDP"));
      return;
    }
    if (!(message.getInetSocketAddress().getAddress() instanceof Inet6Address to)) {
      message.onError(new IOException("the mesh carries IPv6 only"));
    } else if (message.getSize() > Host.MAX_UDP_PAYLOAD) {
      message.onError(
          new IOException(
              "%d octets are more than a mote's %d"
                  .formatted(message.getSize(), Host.MAX_UDP_PAYLOAD)));
    } else {
      submit(message, to);
    }
  }

  private void submit(RawData message, Inet6Address to) {
    boolean taken =
        pending.incrementAndGet() <= MAX_PENDING
            && udp.send(
                port,
                JdkAddresses.of(to),
                message.getInetSocketAddress().getPort(),
                message.getBytes(),
                error -> sent(message, error));
    if (!taken) {
      pending.decrementAndGet();
      refused.incrementAndGet();
      message.onError(new IOException("too many messages wait for the radio"));
    }
  }

  private void sent(RawData message, @Nullable Throwable error) {
    pending.decrementAndGet();
    if (error == null) {
      message.onContextEstablished(new UdpEndpointContext(message.getInetSocketAddress()));
      message.onSent();
    } else {
      message.onError(error);
    }
  }

  /** Called on the pipeline thread. */
  private boolean received(UdpDatagram datagram) {
    RawDataChannel channel = receiver;
    // Californium throws for port 0, to which nothing can be answered.
    if (channel == null || !running || datagram.sourcePort() == 0) {
      return false;
    }
    InetSocketAddress peer =
        new InetSocketAddress(JdkAddresses.inet(datagram.source()), datagram.sourcePort());
    InetSocketAddress self =
        new InetSocketAddress(
            JdkAddresses.inet(datagram.destination()), datagram.destinationPort());
    channel.receiveData(
        RawData.inbound(
            datagram.payload(),
            context(peer, datagram.authenticated()),
            datagram.destination().isMulticast(),
            nanoTime.getAsLong(),
            self));
    return true;
  }

  /** The context of a peer, with an identity if an association proved its address. */
  private static EndpointContext context(InetSocketAddress peer, boolean authenticated) {
    UdpEndpointContext plain = new UdpEndpointContext(peer);
    return authenticated
        ? new MapBasedEndpointContext(
            peer,
            new AssociationPrincipal(peer.getAddress().getHostAddress()),
            new MapBasedEndpointContext.Attributes()
                .add(UdpEndpointContext.KEY_PLAIN, plain.getString(UdpEndpointContext.KEY_PLAIN)))
        : plain;
  }

  @Override
  public void processDatagram(DatagramPacket datagram) {
    throw new UnsupportedOperationException("datagrams come from the radio, not from a socket");
  }
}
