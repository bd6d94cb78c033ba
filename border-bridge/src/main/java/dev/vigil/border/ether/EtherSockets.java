package dev.vigil.border.ether;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ether's UDP sockets: one port on 127.0.0.1, and on ::1 if this machine has it (the address of
 * RIOT's native boards). Belongs to the ether's thread, except {@link #wakeup}.
 */
final class EtherSockets implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EtherSockets.class);
  private static final int MAX_READS_PER_ROUND = 256;

  /** More than the longest ZEP packet. A packet that is cut off here is malformed anyway. */
  private static final int RECEIVE_BUFFER = 256;

  private static final String[] LOOPBACKS = {"127.0.0.1", "::1"};

  /** Takes a received packet. */
  @FunctionalInterface
  interface Receiver {
    void received(byte[] octets, SocketAddress from);
  }

  private final Selector selector;
  private final Map<Class<?>, DatagramChannel> channels = new HashMap<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(RECEIVE_BUFFER);
  private final int port;

  /**
   * @param wanted UDP port, 0 for any free one
   */
  EtherSockets(int wanted) throws IOException {
    this.selector = Selector.open();
    int bound = wanted;
    try {
      for (String loopback : LOOPBACKS) {
        bound = bind(InetAddress.getByName(loopback), bound);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
    this.port = bound;
  }

  private int bind(InetAddress loopback, int wanted) throws IOException {
    boolean ipv4 = loopback.getAddress().length == 4;
    DatagramChannel channel =
        DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
    try {
      channel.bind(new InetSocketAddress(loopback, wanted));
    } catch (IOException e) {
      channel.close();
      if (ipv4) {
        throw e;
      }
      LOG.debug("no ether on {}: {}", loopback, e.toString());
      return wanted;
    }
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ);
    channels.put(loopback.getClass(), channel);
    return ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  int port() {
    return port;
  }

  /** Ends the current {@link #await}, or the next one. May be called from any thread. */
  void wakeup() {
    selector.wakeup();
  }

  /** Waits for a packet up to a time limit; 0 does not wait. */
  void await(long millis) throws IOException {
    if (millis == 0) {
      selector.selectNow();
    } else {
      selector.select(millis);
    }
    selector.selectedKeys().clear();
  }

  /** Passes on received packets, a bounded number per call. */
  void receive(Receiver receiver) throws IOException {
    for (DatagramChannel channel : channels.values()) {
      for (int i = 0; i < MAX_READS_PER_ROUND; i++) {
        buffer.clear();
        SocketAddress from = channel.receive(buffer);
        if (from == null) {
          break;
        }
        byte[] octets = new byte[buffer.flip().remaining()];
        buffer.get(octets);
        receiver.received(octets, from);
      }
    }
  }

  void send(SocketAddress to, byte[] octets) {
    DatagramChannel channel = channels.get(((InetSocketAddress) to).getAddress().getClass());
    try {
      if (channel != null) {
        channel.send(ByteBuffer.wrap(octets), to);
      }
    } catch (IOException e) {
      // The node's process has ended; the node table forgets it after a while.
      LOG.trace("sending to {}: {}", to, e.toString());
    }
  }

  @Override
  public void close() {
    try {
      for (DatagramChannel channel : channels.values()) {
        channel.close();
      }
      selector.close();
    } catch (IOException e) {
      LOG.debug("closing the ether: {}", e.toString());
    }
  }
}
