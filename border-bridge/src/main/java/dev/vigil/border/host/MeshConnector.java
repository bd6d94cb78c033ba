package dev.vigil.border.host;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.eclipse.californium.elements.UdpEndpointContext;
import org.eclipse.californium.elements.exception.EndpointMismatchException;
import org.jspecify.annotations.Nullable;

/**
 * A Californium connector over the radio: UDP on the bridge's own IPv6 host, plain ("coap").
 *
 * <p>A peer's endpoint context carries its {@link InetSocketAddress} with an {@link Inet6Address}
 * without scope. At most {@link #MAX_PENDING} messages wait for the pipeline; more are refused at
 * once, which Californium sees as a failure to send (and repeats, if confirmable).
 */
public final class MeshConnector implements Connector {
  /** Messages on their way to the pipeline. */
  static final int MAX_PENDING = 256;

  private final Mesh mesh;
  private final int port;
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable RawDataChannel receiver;
  private volatile @Nullable EndpointContextMatcher matcher;
  private volatile boolean running;

  /** Makes a connector that is bound when Californium starts it. */
  public MeshConnector(Mesh mesh, int port) {
    this.mesh = mesh;
    this.port = port;
  }

  @Override
  public void start() {
    running = true;
    mesh.bind(port, this::received);
  }

  @Override
  public void stop() {
    running = false;
    mesh.unbind(port);
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
    return new InetSocketAddress(Addresses.inet(mesh.address()), port);
  }

  @Override
  public String getProtocol() {
    return "UDP";
  }

  /** Messages refused because too many waited. */
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
      message.onError(new IOException("the mesh speaks IPv6 only"));
    } else if (message.getSize() > Host.MAX_UDP_PAYLOAD) {
      message.onError(new IOException("larger than a mote can hold: " + message.getSize()));
    } else {
      submit(message, to);
    }
  }

  private void submit(RawData message, Inet6Address to) {
    boolean taken =
        pending.incrementAndGet() <= MAX_PENDING
            && mesh.send(
                port,
                Addresses.of(to),
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

  /** On the pipeline thread. */
  private boolean received(Datagram datagram) {
    RawDataChannel channel = receiver;
    if (channel == null || !running) {
      return false;
    }
    InetSocketAddress peer =
        new InetSocketAddress(Addresses.inet(datagram.source()), datagram.sourcePort());
    InetSocketAddress self =
        new InetSocketAddress(Addresses.inet(datagram.destination()), datagram.destinationPort());
    channel.receiveData(
        RawData.inbound(
            datagram.payload(),
            new UdpEndpointContext(peer),
            datagram.destination().isMulticast(),
            System.nanoTime(),
            self));
    return true;
  }

  @Override
  public void processDatagram(DatagramPacket datagram) {
    throw new UnsupportedOperationException("frames come from the radio, not from a socket");
  }
}
