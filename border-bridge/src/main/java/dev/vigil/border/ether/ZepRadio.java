package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioEvents;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.RadioListener;
import dev.vigil.border.radio.TxListener;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node on the ether of another process ({@code ./vigil ether}, RIOT's zep_dispatch): ZEP over
 * UDP, a hello every ten seconds, {@link AckingMac} in place of a radio chip. One thread does
 * everything.
 */
public final class ZepRadio implements RadioLink, AckingMac.Output {
  private static final Logger LOG = LoggerFactory.getLogger(ZepRadio.class);
  private static final long HELLO_NANOS = 10_000_000_000L;

  /** Between reads that fail, so that a lasting error does not keep a processor busy. */
  private static final long PAUSE_NANOS = 1_000_000;

  private static final int DEVICE = 0;
  private static final int BEST_LQI = 255;
  private static final int MAX_READS_PER_ROUND = 256;

  private final InetSocketAddress ether;
  private final Eui64 eui64;
  private final int channel;
  private final LongSupplier nanoTime;
  private final AckingMac mac;
  private final MacQueue queue;
  private final ByteBuffer buffer = ByteBuffer.allocate(512);
  private final DatagramChannel socket;
  private final ReadableByteChannel input;
  private final Selector selector;
  private final Thread thread;
  private final RadioEvents events = new RadioEvents(this);
  private volatile boolean closed;
  private long helloAt;
  private long sequence;

  /**
   * Opens the socket. {@link #start} starts the thread.
   *
   * @param eui64 own address
   * @param nanoTime as {@link System#nanoTime}
   */
  public ZepRadio(String host, int port, Eui64 eui64, int panId, int channel, LongSupplier nanoTime)
      throws IOException {
    this(host, port, eui64, panId, channel, nanoTime, socket -> socket);
  }

  /**
   * @param input how received packets are read from the socket
   */
  ZepRadio(
      String host,
      int port,
      Eui64 eui64,
      int panId,
      int channel,
      LongSupplier nanoTime,
      UnaryOperator<ReadableByteChannel> input)
      throws IOException {
    this.ether = new InetSocketAddress(host, port);
    this.eui64 = eui64;
    this.channel = channel;
    this.nanoTime = nanoTime;
    this.mac = new AckingMac(eui64, panId, EtherSettings.DEFAULT_ACK_WAIT_MILLIS * 1_000_000, this);
    this.queue = new MacQueue(mac);
    this.selector = Selector.open();
    this.socket = DatagramChannel.open();
    socket.connect(ether);
    socket.configureBlocking(false);
    socket.register(selector, SelectionKey.OP_READ);
    this.input = input.apply(socket);
    this.thread = Thread.ofPlatform().daemon().name(name()).unstarted(this::run);
  }

  @Override
  public String name() {
    return "zep:" + ether.getHostString() + ":" + ether.getPort();
  }

  @Override
  public void start(RadioListener listener) {
    events.setListener(listener);
    thread.start();
  }

  @Override
  public boolean send(byte[] psdu, TxListener done) {
    boolean taken = !closed && queue.offer(psdu, done);
    selector.wakeup();
    return taken;
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
      socket.close();
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("{}: {}", name(), e.toString());
    }
  }

  private void run() {
    events.up(eui64);
    helloAt = nanoTime.getAsLong();
    try {
      while (!closed) {
        round();
      }
    } catch (IOException e) {
      LOG.error("{} stops", name(), e);
    } finally {
      queue.abort();
      events.down();
    }
  }

  private void round() throws IOException {
    long now = nanoTime.getAsLong();
    if (now - helloAt >= 0) {
      helloAt = now + HELLO_NANOS;
      send(new ZepPacket.Hello(eui64));
    }
    queue.work(now);
    long next = Math.min(helloAt, mac.deadline()) - nanoTime.getAsLong();
    selector.select(Math.max(1, next / 1_000_000));
    selector.selectedKeys().clear();
    read();
  }

  private void read() throws IOException {
    for (int i = 0; i < MAX_READS_PER_ROUND; i++) {
      buffer.clear();
      try {
        if (input.read(buffer) <= 0) {
          return;
        }
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        // The ether is not running now, or its machine or a firewall rejected a packet. The next
        // hello may reach it again.
        LOG.trace("{}: {}", name(), e.toString());
        LockSupport.parkNanos(PAUSE_NANOS);
        return;
      }
      byte[] octets = new byte[buffer.flip().remaining()];
      buffer.get(octets);
      try {
        if (ZepPacket.parse(octets) instanceof ZepPacket.Data data && data.channel() == channel) {
          mac.received(AirFcs.strip(data.psdu()), data.lqi(), nanoTime.getAsLong());
        }
      } catch (WireException e) {
        drop(RadioDrop.of(e.reason()));
      }
    }
  }

  private void send(ZepPacket packet) {
    try {
      socket.write(ByteBuffer.wrap(packet.toBytes()));
    } catch (IOException e) {
      LOG.trace("{}: {}", name(), e.toString());
    }
  }

  @Override
  public void transmit(byte[] psdu) {
    sequence = sequence + 1 & 0xffffffffL;
    send(new ZepPacket.Data(channel, DEVICE, BEST_LQI, 0, sequence, Fcs.append(psdu)));
  }

  @Override
  public void deliver(byte[] psdu, int lqi) {
    events.received(psdu, lqi);
  }

  @Override
  public void drop(RadioDrop reason) {
    events.dropped(reason);
  }
}
