package dev.vigil.coap.server;

import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.fastpath.FastPathServer;
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
 * A connector whose receiver thread waits while the workers are behind. Otherwise, datagrams that
 * arrive faster than they are served would fill the heap; now they fill the kernel's buffer, which
 * drops the excess. Datagrams go to the fast path first.
 */
final class BackpressureConnector implements Connector {
  private static final long PAUSE_NANOS = 1_000_000;

  private final Connector connector;
  private final WorkerPool workers;
  private final int maxWaiting;
  private final @Nullable FastPathServer fastPath;

  /** Datagrams that were received and that no worker has begun. */
  private final AtomicInteger waiting;

  /**
   * @param maxWaiting datagrams that may wait for a worker
   * @param waiting is also counted by the fast path
   * @param fastPath null to pass every datagram on to Californium
   */
  BackpressureConnector(
      Connector connector,
      WorkerPool workers,
      int maxWaiting,
      AtomicInteger waiting,
      @Nullable FastPathServer fastPath) {
    this.connector = connector;
    this.workers = workers;
    this.maxWaiting = maxWaiting;
    this.waiting = waiting;
    this.fastPath = fastPath;
  }

  @Override
  public void setRawDataReceiver(@Nullable RawDataChannel channel) {
    connector.setRawDataReceiver(channel == null ? null : datagram -> receive(channel, datagram));
  }

  /** Runs on the connector's receiver thread. */
  private void receive(RawDataChannel californium, RawData datagram) {
    while (waiting.get() >= maxWaiting && connector.isRunning() && !workers.isShutdown()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    if (fastPath == null || !fastPath.serve(datagram, californium)) {
      workers.runCounting(waiting, () -> californium.receiveData(datagram));
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
