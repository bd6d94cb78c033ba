package dev.vigil.coap.multicast;

import dev.vigil.coap.log.RateLimitedLog;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.config.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A UDP connector for one address. It also receives datagrams to the groups of {@link
 * MulticastReceiver} and sends the responses from its own address.
 */
public final class MulticastConnector extends DirectUdpConnector {
  private static final RateLimitedLog log = RateLimitedLog.of(MulticastConnector.class);
  private static final Duration MEMBERSHIP_PERIOD = Duration.ofSeconds(30);

  private final Predicate<NetworkInterface> interfaces;
  private final LongSupplier nanoTime;

  // Guarded by this object's lock.
  private @Nullable MulticastReceiver multicast;

  /**
   * @param interfaces the network interfaces on which to join the groups
   */
  public MulticastConnector(
      InetSocketAddress address,
      Configuration config,
      Predicate<NetworkInterface> interfaces,
      LongSupplier nanoTime) {
    super(address, config);
    this.interfaces = interfaces;
    this.nanoTime = nanoTime;
  }

  /**
   * Binds the port exclusively, so that a second server on it gets an error; the port is shared
   * only while the sockets of the groups are being bound.
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
    multicast =
        new MulticastReceiver(
            socket.getLocalPort(),
            this::canAnswer,
            candidate -> interfaces.test(candidate) && hasLocalAddress(candidate),
            binding -> runWithSharedPort(socket, binding),
            this::receiveMulticast,
            MEMBERSHIP_PERIOD,
            nanoTime);
    multicast.open();
  }

  /** One datagram that fails must not end discovery for all clients. */
  private void receiveMulticast(RawData datagram) {
    try {
      receive(datagram);
    } catch (RuntimeException e) {
      log.error("a datagram could not be served", e);
    }
  }

  private static void runWithSharedPort(DatagramSocket socket, Runnable binding) {
    try {
      socket.setReuseAddress(true);
      try {
        binding.run();
      } finally {
        socket.setReuseAddress(false);
      }
    } catch (SocketException e) {
      // The socket was closed meanwhile, so no group can be answered any more.
      return;
    }
  }

  /**
   * A socket on the IPv6 wildcard address also sends IPv4; other sockets send only their own
   * address family.
   */
  private boolean canAnswer(InetAddress group) {
    InetAddress local = localAddr.getAddress();
    boolean dualStack = local instanceof Inet6Address && local.isAnyLocalAddress();
    return dualStack || local.getAddress().length == group.getAddress().length;
  }

  private boolean hasLocalAddress(NetworkInterface candidate) {
    InetAddress local = localAddr.getAddress();
    return local.isAnyLocalAddress() || candidate.inetAddresses().anyMatch(local::equals);
  }

  @Override
  public void stop() {
    closeMulticast();
    super.stop();
  }

  private synchronized void closeMulticast() {
    if (multicast != null) {
      multicast.close();
      multicast = null;
    }
  }
}
