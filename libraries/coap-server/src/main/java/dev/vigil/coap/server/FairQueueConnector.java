package dev.vigil.coap.server;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.fastpath.FastPathServer;
import dev.vigil.coap.fastpath.Load;
import dev.vigil.coap.limits.FairQueue;
import dev.vigil.coap.log.RateLimitedLog;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connector that queues datagrams by source while the workers are behind. The kernel's buffer
 * drops the datagrams that arrive last. This queue instead serves sources in turn and drops from
 * the greediest source, so that a flood does not delay other senders. Datagrams go to the fast path
 * first.
 *
 * <p>Half of the queue and every second turn belong to familiar addresses ({@link
 * DatagramSources}). Among forged sources from thousands of networks no source is greedy, and an
 * honest newcomer would otherwise find all places taken.
 *
 * <p>The receiver thread only fills the queue. A free worker takes the next datagram, so that a
 * datagram does not wait behind others once its turn has come.
 */
final class FairQueueConnector implements Connector {
  private static final RateLimitedLog log = RateLimitedLog.of(FairQueueConnector.class);

  /**
   * Number of requests that may wait for others with their key, or for workers, while datagrams are
   * taken from the queue. Requests that were taken wait in order of arrival, regardless of the
   * sender.
   */
  private static final int MAX_TAKEN = 64;

  private static final long PAUSE_NANOS = 100_000;

  /**
   * Capacity of each of the two queues in datagrams; the kernel's buffer holds about as many as
   * both.
   */
  private static final int QUEUED = 1_024;

  private final Connector connector;
  private final WorkerPool workers;
  private final int maxWaiting;
  private final @Nullable FastPathServer fastPath;

  /** Received datagrams that no worker has started. */
  private final AtomicInteger waiting;

  private final DatagramSources sources;
  private final FairQueue<RawData> familiar = new FairQueue<>(QUEUED);
  private final FairQueue<RawData> others = new FairQueue<>(QUEUED);

  /**
   * Datagrams that are queued or being taken from a queue. If zero, the next datagram need not
   * wait.
   */
  private final AtomicInteger behind = new AtomicInteger();

  /** Number of workers that serve the queues. */
  private final AtomicInteger serving = new AtomicInteger();

  /**
   * Held while a datagram is taken and handed on, so that a source's datagrams keep their order.
   */
  private final Object order = new Object();

  /** Whether the next turn belongs to a familiar address. Guarded by the lock of {@code order}. */
  private boolean turnOfFamiliar = true;

  private final LongAdder received = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private volatile @Nullable RawDataChannel californium;

  /**
   * @param maxWaiting datagrams that may wait for a worker before further ones wait by source
   * @param waiting counter shared with the fast path
   * @param sources determines whose turn a datagram takes
   * @param fastPath null to pass every datagram on to Californium
   */
  FairQueueConnector(
      Connector connector,
      WorkerPool workers,
      int maxWaiting,
      AtomicInteger waiting,
      DatagramSources sources,
      @Nullable FastPathServer fastPath) {
    this.connector = connector;
    this.workers = workers;
    this.maxWaiting = maxWaiting;
    this.waiting = waiting;
    this.sources = sources;
    this.fastPath = fastPath;
  }

  @Override
  public void setRawDataReceiver(@Nullable RawDataChannel channel) {
    californium = channel;
    connector.setRawDataReceiver(channel == null ? null : this::receive);
  }

  /** Runs on the connector's receiver thread. */
  private void receive(RawData datagram) {
    received.increment();
    int ahead = waiting.get();
    if (behind.get() == 0 && ahead < maxWaiting) {
      serve(datagram, ahead == 0 ? Load.IDLE : Load.WORKING);
      return;
    }
    FairQueue<RawData> queue = sources.isFamiliar(datagram) ? familiar : others;
    if (queue.offer(sources.of(datagram), datagram) == null) {
      behind.incrementAndGet();
      startServing();
    } else {
      dropped.increment();
    }
  }

  CoapStatistics.Socket statistics() {
    boolean secure = !connector.getProtocol().equals(CoAP.PROTOCOL_UDP);
    return new CoapStatistics.Socket(
        secure, received.sum(), dropped.sum(), waiting.get() + behind.get());
  }

  /** Starts one more worker on the queue, unless all workers serve it. */
  private void startServing() {
    int now = serving.get();
    while (now < workers.count() && !serving.compareAndSet(now, now + 1)) {
      now = serving.get();
    }
    if (now < workers.count()) {
      serveQueueLater();
    }
  }

  private void serveQueueLater() {
    try {
      workers.executeLast(this::serveQueue);
    } catch (RejectedExecutionException e) {
      // The server has closed; the clients will retransmit their requests.
    }
  }

  /** Serves one datagram, then lets the worker run other tasks before the next one. */
  private void serveQueue() {
    try {
      if (waiting.get() < Math.min(maxWaiting, MAX_TAKEN)) {
        serveNext();
      } else if (Deferral.isPending()) {
        // This worker has begun requests that must not wait for others.
        Deferral.complete();
      } else {
        // Another worker is serving them, or this one is about to.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } finally {
      continueServing();
    }
  }

  private void continueServing() {
    if (behind.get() > 0) {
      serveQueueLater();
      return;
    }
    serving.decrementAndGet();
    if (behind.get() > 0) {
      startServing();
    }
  }

  private void serveNext() {
    synchronized (order) {
      RawData next = takeNext();
      if (next == null) {
        return;
      }
      try {
        serve(next, Load.BEHIND);
      } catch (RuntimeException e) {
        log.error("a datagram could not be served", e);
      } finally {
        behind.decrementAndGet();
      }
    }
  }

  /** Takes from the queue whose turn it is, or from the other queue if that one is empty. */
  private @Nullable RawData takeNext() {
    boolean familiarFirst = turnOfFamiliar;
    turnOfFamiliar = !turnOfFamiliar;
    RawData next = (familiarFirst ? familiar : others).poll();
    return next == null ? (familiarFirst ? others : familiar).poll() : next;
  }

  private void serve(RawData datagram, Load load) {
    RawDataChannel channel = californium;
    if (channel != null && (fastPath == null || !fastPath.serve(datagram, channel, load))) {
      workers.runCounting(waiting, () -> channel.receiveData(datagram));
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
