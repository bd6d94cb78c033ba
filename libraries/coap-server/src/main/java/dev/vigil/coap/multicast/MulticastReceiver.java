package dev.vigil.coap.multicast;

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
import java.nio.channels.MembershipKey;
import java.nio.channels.MulticastChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.util.ClockUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives datagrams to the groups "All CoAP Nodes" (RFC 7252 section 12.8) and "All CoRE Resource
 * Directories" (RFC 9176 section 9.5).
 *
 * <p>Only a socket bound to the group's address reveals to which group a datagram was sent. There
 * is therefore one socket for each group, and one for each interface if the group is link-local.
 * One thread reads all sockets. It periodically joins the groups on interfaces that have come up
 * and leaves them on interfaces that have gone: Linux limits the memberships of an IPv4 socket.
 */
final class MulticastReceiver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MulticastReceiver.class);

  static final List<InetAddress> GROUPS =
      List.of(
          InetAddress.ofLiteral("ff02::fd"),
          InetAddress.ofLiteral("ff05::fd"),
          InetAddress.ofLiteral("ff02::fe"),
          InetAddress.ofLiteral("ff05::fe"),
          InetAddress.ofLiteral("224.0.1.187"),
          InetAddress.ofLiteral("224.0.1.190"));

  private static final long CLOSE_TIMEOUT_MILLIS = 1000;
  private static final int MAX_DATAGRAM = 2048;

  private final int port;
  private final Predicate<InetAddress> answerable;
  private final Predicate<NetworkInterface> interfaces;
  private final Consumer<Runnable> portSharing;
  private final Consumer<RawData> receiver;
  private final Duration period;
  private final LongSupplier nanoTime;
  private final Selector selector;
  private final Thread thread;

  // Used by the thread that calls open(), then by the reading thread only.
  private final Map<String, DatagramChannel> channels = new HashMap<>();
  private final Map<Membership, MembershipKey> joined = new HashMap<>();
  private final Set<Membership> failed = new HashSet<>();
  private volatile boolean closed;

  private record Membership(InetAddress group, String networkInterface, int index) {}

  /**
   * @param answerable the groups whose members the sending socket can answer
   * @param interfaces the network interfaces on which to join the groups
   * @param portSharing runs a task while other sockets may bind the port
   * @param receiver is called on the reading thread, which an exception would end
   * @param period after which the interfaces are listed again
   */
  MulticastReceiver(
      int port,
      Predicate<InetAddress> answerable,
      Predicate<NetworkInterface> interfaces,
      Consumer<Runnable> portSharing,
      Consumer<RawData> receiver,
      Duration period,
      LongSupplier nanoTime)
      throws IOException {
    this.port = port;
    this.answerable = answerable;
    this.interfaces = interfaces;
    this.portSharing = portSharing;
    this.receiver = receiver;
    this.period = period;
    this.nanoTime = nanoTime;
    this.selector = Selector.open();
    this.thread = Thread.ofPlatform().name("coap-multicast").daemon().unstarted(this::read);
  }

  /** Joins the groups where possible, logs failures, and starts the reading thread. */
  void open() {
    updateMemberships();
    thread.start();
  }

  private void updateMemberships() {
    Map<Membership, NetworkInterface> wanted;
    try {
      wanted = wanted();
    } catch (SocketException e) {
      log.warn("cannot list the network interfaces for joining multicast groups", e);
      return;
    }
    leaveAllExcept(wanted.keySet());
    int before = joined.size();
    portSharing.accept(() -> wanted.forEach(this::join));
    if (joined.size() > before) {
      Set<String> names = new TreeSet<>();
      joined.keySet().forEach(membership -> names.add(membership.networkInterface()));
      log.info("receiving CoAP multicast on {}, port {}", String.join(", ", names), port);
    }
  }

  private Map<Membership, NetworkInterface> wanted() throws SocketException {
    Map<Membership, NetworkInterface> wanted = new LinkedHashMap<>();
    for (NetworkInterface candidate : NetworkInterface.networkInterfaces().toList()) {
      if (candidate.isUp() && interfaces.test(candidate)) {
        for (InetAddress group : GROUPS) {
          if (answerable.test(group) && hasFamilyOf(candidate, group)) {
            wanted.put(new Membership(group, candidate.getName(), candidate.getIndex()), candidate);
          }
        }
      }
    }
    return wanted;
  }

  private void join(Membership membership, NetworkInterface networkInterface) {
    if (joined.containsKey(membership)) {
      return;
    }
    InetAddress group = membership.group();
    try {
      DatagramChannel channel = channel(group, networkInterface);
      try {
        joined.put(membership, channel.join(group, networkInterface));
      } catch (IOException e) {
        closeIfOwn(group, channel);
        throw e;
      }
    } catch (IOException e) {
      if (failed.add(membership)) {
        log.warn(
            "cannot join multicast group {} on {}; clients there cannot discover this server by"
                + " it: {}",
            group.getHostAddress(),
            networkInterface.getName(),
            e.getMessage());
      }
    }
  }

  private void leaveAllExcept(Set<Membership> wanted) {
    failed.retainAll(wanted);
    Map<Membership, MembershipKey> gone = new HashMap<>(joined);
    gone.keySet().removeAll(wanted);
    joined.keySet().retainAll(wanted);
    gone.forEach(this::leave);
  }

  private void leave(Membership membership, MembershipKey key) {
    key.drop();
    closeIfOwn(membership.group(), key.channel());
  }

  private void closeIfOwn(InetAddress group, MulticastChannel channel) {
    if (!hasOwnChannel(group)) {
      return;
    }
    channels.values().remove(channel);
    try {
      channel.close();
    } catch (IOException e) {
      log.debug("cannot close the socket of multicast group {}", group.getHostAddress(), e);
    }
  }

  /** Whether each interface has its own channel for a group. */
  private static boolean hasOwnChannel(InetAddress group) {
    return group.isMCLinkLocal() && group instanceof Inet6Address;
  }

  private static boolean hasFamilyOf(NetworkInterface networkInterface, InetAddress group) {
    return networkInterface
        .inetAddresses()
        .anyMatch(address -> address.getAddress().length == group.getAddress().length);
  }

  private DatagramChannel channel(InetAddress group, NetworkInterface networkInterface)
      throws IOException {
    InetAddress bindAddress =
        hasOwnChannel(group)
            ? Inet6Address.getByAddress(null, group.getAddress(), networkInterface.getIndex())
            : group;
    DatagramChannel known = channels.get(bindAddress.getHostAddress());
    if (known != null) {
      return known;
    }
    DatagramChannel channel =
        DatagramChannel.open(
            group instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(new InetSocketAddress(bindAddress, port));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, new InetSocketAddress(group, port));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channels.put(bindAddress.getHostAddress(), channel);
    return channel;
  }

  private void read() {
    ByteBuffer buffer = ByteBuffer.allocate(MAX_DATAGRAM);
    long updatedAt = nanoTime.getAsLong();
    while (!closed) {
      try {
        selector.select(key -> receive(key, buffer), period.toMillis());
        if (nanoTime.getAsLong() - updatedAt >= period.toNanos() && !closed) {
          updateMemberships();
          updatedAt = nanoTime.getAsLong();
        }
      } catch (IOException e) {
        log.warn("multicast discovery has stopped; restart the server to resume it", e);
        return;
      }
    }
  }

  private void receive(SelectionKey key, ByteBuffer buffer) {
    if (!(key.channel() instanceof DatagramChannel channel)
        || !(key.attachment() instanceof InetSocketAddress group)) {
      return;
    }
    try {
      buffer.clear();
      // Nothing can be answered to port 0, and Californium throws for it.
      if (channel.receive(buffer) instanceof InetSocketAddress source && source.getPort() != 0) {
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        receiver.accept(
            RawData.inbound(
                bytes, new AddressEndpointContext(source), true, ClockUtil.nanoRealtime(), group));
      }
    } catch (IOException e) {
      log.debug("cannot receive a datagram to multicast group {}", group, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      if (thread.isAlive()) {
        thread.join(CLOSE_TIMEOUT_MILLIS);
      }
      selector.close();
      for (DatagramChannel channel : channels.values()) {
        channel.close();
      }
    } catch (IOException e) {
      log.debug("cannot close the sockets of multicast groups", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
