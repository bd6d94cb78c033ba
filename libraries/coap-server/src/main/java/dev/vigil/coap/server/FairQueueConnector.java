package dev.vigil.coap.server;

import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.fastpath.FastPathServer;
import dev.vigil.coap.limits.FairQueue;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connector that queues datagrams by source while the workers are behind. The kernel's buffer
 * drops whatever arrives last; this queue serves sources in turn and drops from the greediest one,
 * so that a flood does not delay the datagrams of others. Datagrams go to the fast path first.
 */
final class FairQueueConnector implements Connector {
  private static final Logger log = LoggerFactory.getLogger(FairQueueConnector.class);
  private static final long PAUSE_NANOS = 100_000;

  /** Datagrams that wait by source; the kernel's buffer holds about as many. */
  private static final int QUEUED = 2_048;

  private final Connector connector;
  private final WorkerPool workers;
  private final int maxWaiting;
  private final @Nullable FastPathServer fastPath;

  /** Datagrams that were received and that no worker has begun. */
  private final AtomicInteger waiting;

  private final FairQueue<RawData> queue = new FairQueue<>(QUEUED);

  /** Datagrams in the queue or between the queue and a worker. Zero: the next one may overtake. */
  private final AtomicInteger behind = new AtomicInteger();

  private volatile @Nullable RawDataChannel californium;
  private volatile @Nullable Thread server;

  /**
   * @param maxWaiting datagrams that may wait for a worker
   * @param waiting is also counted by the fast path
   * @param fastPath null to pass every datagram on to Californium
   */
  FairQueueConnector(
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
    californium = channel;
    connector.setRawDataReceiver(channel == null ? null : this::receive);
  }

  /** Runs on the connector's receiver thread. */
  private void receive(RawData datagram) {
    if (behind.get() == 0 && waiting.get() < maxWaiting) {
      serve(datagram);
      return;
    }
    Source source = Source.of(Standing.UNVERIFIED, datagram.getInetSocketAddress().getAddress());
    if (queue.offer(source, datagram) == null && behind.getAndIncrement() == 0) {
      LockSupport.unpark(server);
    }
  }

  /** Serves the queue while the connector runs. */
  private void serveQueue() {
    while (connector.isRunning() && !workers.isShutdown()) {
      if (behind.get() == 0) {
        LockSupport.park(this);
      } else if (waiting.get() >= maxWaiting) {
        LockSupport.parkNanos(PAUSE_NANOS);
      } else {
        serveNext();
      }
    }
  }

  private void serveNext() {
    RawData next = queue.poll();
    if (next == null) {
      return;
    }
    try {
      serve(next);
    } catch (RuntimeException e) {
      log.error("a datagram could not be served", e);
    } finally {
      behind.decrementAndGet();
    }
  }

  private void serve(RawData datagram) {
    RawDataChannel channel = californium;
    if (channel != null && (fastPath == null || !fastPath.serve(datagram, channel))) {
      workers.runCounting(waiting, () -> channel.receiveData(datagram));
    }
  }

  @Override
  public void start() throws IOException {
    connector.start();
    server =
        Thread.ofPlatform()
            .daemon()
            .name("coap-queue-" + connector.getAddress().getPort())
            .start(this::serveQueue);
  }

  @Override
  public void stop() {
    connector.stop();
    LockSupport.unpark(server);
  }

  @Override
  public void destroy() {
    connector.destroy();
    LockSupport.unpark(server);
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
