package dev.vigil.directory.coap;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.util.ClockUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what is sent to "All CoAP Nodes" (RFC 7252 section 12.8) and "All CoRE Resource
 * Directories" (RFC 9176 section 9.5) on some network interfaces.
 *
 * <p>A socket tells which group a datagram was for only by being bound to the group's address:
 * there is one for each group, and of link-local groups one for each interface. One thread opens
 * and reads them all, and looks now and then for interfaces that came up since.
 */
final class Groups implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Groups.class);

  static final List<InetAddress> ADDRESSES =
      List.of(
          InetAddress.ofLiteral("ff02::fd"),
          InetAddress.ofLiteral("ff05::fd"),
          InetAddress.ofLiteral("ff02::fe"),
          InetAddress.ofLiteral("ff05::fe"),
          InetAddress.ofLiteral("224.0.1.187"),
          InetAddress.ofLiteral("224.0.1.190"));

  private static final long LOOK_AGAIN_MILLIS = 30_000;
  private static final long PATIENCE_MILLIS = 1000;
  private static final int DATAGRAM = 2048;

  private final int port;
  private final Predicate<InetAddress> answerable;
  private final Predicate<NetworkInterface> wanted;
  private final Consumer<Runnable> sharing;
  private final Consumer<RawData> receiver;
  private final Clock clock;
  private final Selector selector;
  private final Thread thread;

  // Of the thread that opens, then of the one that reads.
  private final Map<String, DatagramChannel> channels = new HashMap<>();
  private final Set<Membership> joined = new HashSet<>();
  private final Set<Membership> refused = new HashSet<>();
  private volatile boolean closed;

  private record Membership(InetAddress group, String networkInterface, int index) {}

  /**
   * @param answerable which groups the socket that answers can answer for
   * @param wanted the interfaces to join on
   * @param sharing runs what it is given while others may bind our port
   * @param receiver is called on the reading thread
   */
  Groups(
      int port,
      Predicate<InetAddress> answerable,
      Predicate<NetworkInterface> wanted,
      Consumer<Runnable> sharing,
      Consumer<RawData> receiver,
      Clock clock)
      throws IOException {
    this.port = port;
    this.answerable = answerable;
    this.wanted = wanted;
    this.sharing = sharing;
    this.receiver = receiver;
    this.clock = clock;
    this.selector = Selector.open();
    this.thread = Thread.ofPlatform().name("coap-groups").daemon().unstarted(this::read);
  }

  /** Joins wherever it can, says in the log where it cannot, and begins to hear. */
  void open() {
    joinAll();
    thread.start();
  }

  private void joinAll() {
    int before = joined.size();
    sharing.accept(
        () -> {
          try {
            for (NetworkInterface one : NetworkInterface.networkInterfaces().toList()) {
              if (one.isUp() && wanted.test(one)) {
                joinAll(one);
              }
            }
          } catch (SocketException e) {
            log.warn("cannot list the network interfaces to join multicast groups on", e);
          }
        });
    if (joined.size() > before) {
      Set<String> names = new TreeSet<>();
      joined.forEach(membership -> names.add(membership.networkInterface()));
      log.info("hears multicast discovery on {}, port {}", String.join(", ", names), port);
    }
  }

  private void joinAll(NetworkInterface one) {
    for (InetAddress group : ADDRESSES) {
      Membership membership = new Membership(group, one.getName(), one.getIndex());
      if (!answerable.test(group) || !hasFamilyOf(one, group) || joined.contains(membership)) {
        continue;
      }
      try {
        channel(group, one).join(group, one);
        joined.add(membership);
      } catch (IOException e) {
        if (refused.add(membership)) {
          log.warn(
              "cannot join {} on {}, so nobody finds us by it there: {}",
              group.getHostAddress(),
              one.getName(),
              e.getMessage());
        }
      }
    }
  }

  private static boolean hasFamilyOf(NetworkInterface one, InetAddress group) {
    return one.inetAddresses()
        .anyMatch(own -> own.getAddress().length == group.getAddress().length);
  }

  private DatagramChannel channel(InetAddress group, NetworkInterface one) throws IOException {
    InetAddress bound =
        group.isMCLinkLocal() && group instanceof Inet6Address
            ? Inet6Address.getByAddress(null, group.getAddress(), one.getIndex())
            : group;
    DatagramChannel known = channels.get(bound.getHostAddress());
    if (known != null) {
      return known;
    }
    DatagramChannel opened =
        DatagramChannel.open(
            group instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    try {
      opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      opened.bind(new InetSocketAddress(bound, port));
      opened.configureBlocking(false);
      opened.register(selector, SelectionKey.OP_READ, new InetSocketAddress(group, port));
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    channels.put(bound.getHostAddress(), opened);
    return opened;
  }

  private void read() {
    ByteBuffer datagram = ByteBuffer.allocate(DATAGRAM);
    long look = clock.millis();
    while (!closed) {
      try {
        selector.select(key -> receive(key, datagram), LOOK_AGAIN_MILLIS);
        if (clock.millis() - look > LOOK_AGAIN_MILLIS && !closed) {
          joinAll();
          look = clock.millis();
        }
      } catch (IOException e) {
        log.warn("multicast discovery is not heard any more", e);
        return;
      }
    }
  }

  private void receive(SelectionKey key, ByteBuffer datagram) {
    if (!(key.channel() instanceof DatagramChannel channel)
        || !(key.attachment() instanceof InetSocketAddress group)) {
      return;
    }
    try {
      datagram.clear();
      if (channel.receive(datagram) instanceof InetSocketAddress source) {
        byte[] bytes = new byte[datagram.flip().remaining()];
        datagram.get(bytes);
        receiver.accept(
            RawData.inbound(
                bytes, new AddressEndpointContext(source), true, ClockUtil.nanoRealtime(), group));
      }
    } catch (IOException e) {
      log.debug("a datagram to {} was lost", group, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      if (thread.isAlive()) {
        thread.join(PATIENCE_MILLIS);
      }
      selector.close();
      for (DatagramChannel channel : channels.values()) {
        channel.close();
      }
    } catch (IOException e) {
      log.debug("closing multicast sockets failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
