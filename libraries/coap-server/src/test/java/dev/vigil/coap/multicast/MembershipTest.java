package dev.vigil.coap.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MembershipTest {
  private static final Path SOCKETS = Path.of("/proc/self/net/udp6");

  /** One permit for each list of the interfaces. */
  private final Semaphore lists = new Semaphore(0);

  private volatile boolean present = true;

  private boolean isPresent(NetworkInterface candidate) {
    try {
      if (!candidate.isLoopback()) {
        return false;
      }
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
    lists.release();
    return present;
  }

  private void awaitUpdate() throws InterruptedException {
    lists.drainPermits();
    // The first list may have begun before. The third begins after the second has taken effect.
    assertThat(lists.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();
  }

  /** The number of IPv6 sockets on a port. */
  private static long sockets(int port) throws IOException {
    Pattern line = Pattern.compile(" *\\d+: [0-9A-F]{32}:%04X ".formatted(port));
    return Files.readAllLines(SOCKETS).stream()
        .filter(text -> line.matcher(text).lookingAt())
        .count();
  }

  @Test
  void closesTheSocketsOfInterfacesThatHaveGone() throws Exception {
    try (DatagramSocket reserved = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
        MulticastReceiver receiver =
            new MulticastReceiver(
                reserved.getLocalPort(),
                group -> true,
                this::isPresent,
                Runnable::run,
                datagram -> {},
                Duration.ofMillis(1),
                System::nanoTime)) {
      int port = reserved.getLocalPort();
      receiver.open();
      long joined = sockets(port);
      present = false;
      awaitUpdate();
      long left = sockets(port);
      present = true;
      awaitUpdate();
      // The link-local groups ff02::fd and ff02::fe have a socket for each interface.
      assertThat(left).isEqualTo(joined - 2);
      assertThat(sockets(port)).isEqualTo(joined);
    }
  }
}
