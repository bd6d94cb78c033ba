package dev.vigil.directory.coap;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Clock;
import java.util.function.Predicate;
import org.eclipse.californium.elements.config.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * UDP at one address, which also hears the {@link Groups} of its family and answers them from that
 * address.
 */
final class GroupConnector extends DirectConnector {
  private final Predicate<NetworkInterface> wanted;
  private final Clock clock;
  private @Nullable Groups groups;

  /**
   * @param wanted the interfaces to hear groups on
   */
  GroupConnector(
      InetSocketAddress address,
      Configuration config,
      Predicate<NetworkInterface> wanted,
      Clock clock) {
    super(address, config);
    this.wanted = wanted;
    this.clock = clock;
  }

  /**
   * The port is bound as if nobody else could have it, so that a second gateway is told; only while
   * the groups' sockets are bound beside it is it shared.
   */
  @Override
  public synchronized void start() throws IOException {
    if (running) {
      return;
    }
    DatagramSocket socket = new DatagramSocket(null);
    try {
      socket.bind(localAddr);
      init(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    groups =
        new Groups(
            socket.getLocalPort(),
            this::canAnswer,
            one -> wanted.test(one) && isReachedBy(one),
            binding -> share(socket, binding),
            this::heard,
            clock);
    groups.open();
  }

  private static void share(DatagramSocket socket, Runnable binding) {
    try {
      socket.setReuseAddress(true);
      try {
        binding.run();
      } finally {
        socket.setReuseAddress(false);
      }
    } catch (SocketException e) {
      // Closed meanwhile; there is nothing left to answer from.
      return;
    }
  }

  /** A socket for every IPv6 address is one for every IPv4 address too. */
  private boolean canAnswer(InetAddress group) {
    InetAddress own = localAddr.getAddress();
    boolean every = own instanceof Inet6Address && own.isAnyLocalAddress();
    return every || own.getAddress().length == group.getAddress().length;
  }

  private boolean isReachedBy(NetworkInterface one) {
    InetAddress own = localAddr.getAddress();
    return own.isAnyLocalAddress() || one.inetAddresses().anyMatch(own::equals);
  }

  @Override
  public void stop() {
    closeGroups();
    super.stop();
  }

  private synchronized void closeGroups() {
    if (groups != null) {
      groups.close();
      groups = null;
    }
  }
}
