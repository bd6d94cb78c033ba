package dev.vigil.directory.coap;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connector whose requests go the short way where they can, and whose receiver waits while the
 * workers are behind. Without this, whoever sends faster than requests are served fills our memory
 * with datagrams; now the kernel's buffer fills, and what does not fit there is lost, as on any
 * full network.
 */
final class Intake implements Connector {
  private static final long PAUSE_NANOS = 1_000_000;

  private final Connector connector;
  private final Workers workers;
  private final int most;
  private final @Nullable Express express;

  /** Datagrams that were heard and that no worker has begun with. */
  private final AtomicInteger waiting;

  /**
   * @param most datagrams that may wait
   * @param express counts what it hands to the workers where this does; null: all goes the long way
   */
  Intake(
      Connector connector,
      Workers workers,
      int most,
      AtomicInteger waiting,
      @Nullable Express express) {
    this.connector = connector;
    this.workers = workers;
    this.most = most;
    this.waiting = waiting;
    this.express = express;
  }

  @Override
  public void setRawDataReceiver(@Nullable RawDataChannel channel) {
    connector.setRawDataReceiver(channel == null ? null : datagram -> take(channel, datagram));
  }

  /** On the connector's own thread, which has nothing else to do. */
  private void take(RawDataChannel channel, RawData datagram) {
    while (waiting.get() >= most && connector.isRunning() && !workers.isShutdown()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    if (express == null || !express.takes(datagram, channel)) {
      workers.counting(waiting, () -> channel.receiveData(datagram));
    }
  }

  @Override
  public void start() throws IOException {
    connector.start();
  }

  @Override
  public void stop() {
    connector.stop();
  }

  @Override
  public void destroy() {
    connector.destroy();
  }

  @Override
  public void send(RawData message) {
    connector.send(message);
  }

  @Override
  public void setEndpointContextMatcher(EndpointContextMatcher matcher) {
    connector.setEndpointContextMatcher(matcher);
  }

  @Override
  public InetSocketAddress getAddress() {
    return connector.getAddress();
  }

  @Override
  public String getProtocol() {
    return connector.getProtocol();
  }

  @Override
  public boolean isRunning() {
    return connector.isRunning();
  }

  @Override
  public void processDatagram(DatagramPacket datagram) {
    connector.processDatagram(datagram);
  }
}
