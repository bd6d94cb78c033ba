package dev.vigil.border.ether;

import dev.vigil.border.ether.Medium.AirFrame;
import dev.vigil.border.ether.Medium.Delivery;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The virtual air: carries 802.15.4 frames between processes on this machine and to the gateway's
 * own node. The processes use ZEP over UDP, on 127.0.0.1 and ::1 (the address of RIOT's native
 * boards).
 *
 * <p>One thread, named "ether", does everything; other threads only wake it. Loopback peers are
 * limited to 256 nodes, 16 queued frames for each node, and the capacity of the air.
 */
public final class Ether implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ether.class);
  private static final long FORGET_EVERY_NANOS = 1_000_000_000L;
  private static final long IDLE_MILLIS = 500;
  private static final int LOCAL_INDEX = 0;

  private final EtherSettings settings;
  private final LongSupplier nanoTime;
  private final EtherSockets sockets;
  private final Thread thread;
  private final Medium medium;
  private final NodeTable nodes = new NodeTable();
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable EtherRadio local;
  private volatile List<EtherNode> snapshot = List.of();
  private volatile boolean closed;
  private long forgetAt;
  private long sequence;

  /**
   * Binds the sockets. {@link #start} starts the thread.
   *
   * @param nanoTime the clock of the medium, as {@link System#nanoTime}
   * @param random decides which frames a lossy edge loses
   */
  public Ether(EtherSettings settings, LongSupplier nanoTime, RandomGenerator random)
      throws IOException {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.medium = new Medium(settings.topology(), random, settings.octetNanos());
    this.sockets = new EtherSockets(settings.port());
    this.thread = Thread.ofPlatform().name("ether").daemon().unstarted(this::run);
  }

  /** The UDP port in use. */
  public int port() {
    return sockets.port();
  }

  /** The nodes of other processes, at most about a second old. */
  public List<EtherNode> nodes() {
    return snapshot;
  }

  /** The number of refused packets: malformed, wrong FCS, too many nodes, too many frames. */
  public long refused() {
    return refused.get();
  }

  /**
   * The gateway's own node, index 0. Its {@code start} and {@code close} start and close the ether.
   *
   * @param eui64 its address
   */
  public RadioLink localRadio(Eui64 eui64, int panId, int channel) {
    EtherRadio radio =
        new EtherRadio(this, eui64, panId, channel, settings.ackWaitMillis() * 1_000_000);
    local = radio;
    return radio;
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    sockets.wakeup();
    if (thread.isAlive() && Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    sockets.close();
  }

  void wakeup() {
    sockets.wakeup();
  }

  private void run() {
    EtherRadio radio = local;
    if (radio != null) {
      medium.join(radio.node());
      radio.up();
    }
    try {
      while (!closed) {
        round(radio);
      }
    } catch (IOException e) {
      LOG.error("the ether stops", e);
    } finally {
      if (radio != null) {
        radio.down();
      }
    }
  }

  private void round(@Nullable EtherRadio radio) throws IOException {
    sockets.await(millisUntilNextEvent(radio));
    sockets.receive(this::received);
    if (radio != null) {
      radio.work(nanoTime.getAsLong());
    }
    for (Delivery delivery : medium.due(nanoTime.getAsLong())) {
      deliver(delivery, radio);
    }
    long now = nanoTime.getAsLong();
    if (now - forgetAt >= 0) {
      forgetAt = now + FORGET_EVERY_NANOS;
      nodes.forgetSilent(now).forEach(node -> medium.leave(node.index));
      snapshot = nodes.snapshot(now);
    }
  }

  private long millisUntilNextEvent(@Nullable EtherRadio radio) {
    long next = medium.nextEvent();
    if (radio != null) {
      next = Math.min(next, radio.deadline());
    }
    if (next == Long.MAX_VALUE) {
      return IDLE_MILLIS;
    }
    long nanos = next - nanoTime.getAsLong();
    return nanos <= 0 ? 0 : Math.min(IDLE_MILLIS, (nanos + 999_999) / 1_000_000);
  }

  private void received(byte[] octets, SocketAddress from) {
    try {
      accept(ZepPacket.parse(octets), from);
    } catch (WireException e) {
      refuse(RadioDrop.of(e.reason()));
    }
  }

  private void accept(ZepPacket packet, SocketAddress from) throws WireException {
    long now = nanoTime.getAsLong();
    NodeTable.RemoteNode node = nodes.heard(from, now);
    if (node == null) {
      refuse(RadioDrop.OVERLOAD);
      return;
    }
    switch (packet) {
      case ZepPacket.Data data -> transmit(node, data, now);
      case ZepPacket.Hello hello -> {
        Eui64 eui64 = hello.eui64();
        updateNode(node, eui64 == null ? node.eui64 : eui64);
      }
      case ZepPacket.Ack ack -> {}
    }
  }

  private void transmit(NodeTable.RemoteNode node, ZepPacket.Data data, long now)
      throws WireException {
    byte[] psdu = AirFcs.strip(data.psdu());
    MacHeader header = MacHeader.of(psdu);
    if (header == null) {
      refuse(RadioDrop.MALFORMED);
      return;
    }
    Eui64 source = header.sourceEui64();
    updateNode(node, node.eui64 == null ? source : node.eui64);
    AirFrame frame = new AirFrame(psdu, data.channel(), header.isAck());
    if (!medium.transmit(node.index, frame, now)) {
      refuse(RadioDrop.OVERLOAD);
    }
  }

  /** Counts a refused packet, and reports it to the gateway's node if there is one. */
  private void refuse(RadioDrop reason) {
    refused.incrementAndGet();
    EtherRadio radio = local;
    if (radio != null) {
      radio.drop(reason);
    }
  }

  private void updateNode(NodeTable.RemoteNode node, @Nullable Eui64 eui64) {
    node.eui64 = eui64;
    medium.join(node.node());
  }

  /** Transmits a frame of the gateway's node. */
  boolean transmitLocal(byte[] psdu, int channel, boolean acknowledgement) {
    AirFrame frame = new AirFrame(psdu, channel, acknowledgement);
    return medium.transmit(LOCAL_INDEX, frame, nanoTime.getAsLong());
  }

  private void deliver(Delivery delivery, @Nullable EtherRadio radio) {
    int lqi = (int) Math.round(255 * (1 - delivery.edge().loss()));
    if (delivery.to() == LOCAL_INDEX) {
      if (radio != null) {
        radio.arrived(delivery.frame(), lqi, nanoTime.getAsLong());
      }
      return;
    }
    NodeTable.RemoteNode node = nodes.get(delivery.to());
    if (node != null) {
      sequence = sequence + 1 & 0xffffffffL;
      ZepPacket packet =
          new ZepPacket.Data(
              delivery.frame().channel(),
              delivery.from(),
              lqi,
              0,
              sequence,
              Fcs.append(delivery.frame().psdu()));
      sockets.send(node.address, packet.toBytes());
    }
  }
}
