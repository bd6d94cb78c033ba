package dev.vigil.coap.udp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A second descriptor of a bound UDP socket of the JDK, which does not reveal its own one. Both
 * have the same address, buffers and options.
 */
public final class SendSocket implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int CLOSED = -1;
  private static final int SOL_SOCKET = 1;
  private static final int SO_TYPE = 3;
  private static final int SOCK_DGRAM = 2;

  private final short family;

  /** The read lock is held while the descriptor is used, so that its number is not reused. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** Written with the write lock. */
  private int descriptor;

  private SendSocket(int descriptor, short family) {
    this.descriptor = descriptor;
    this.family = family;
  }

  /**
   * Opens the descriptor.
   *
   * @throws IOException if the system has no such calls, or if the socket is not found; the message
   *     is the reason
   */
  public static SendSocket of(DatagramSocket socket) throws IOException {
    if (!UdpSyscalls.isSupported()) {
      throw new IOException("only 64-bit Linux has the system call");
    }
    if (!(socket.getLocalSocketAddress() instanceof InetSocketAddress local)) {
      throw new IOException("the socket is closed");
    }
    List<Integer> found = new ArrayList<>();
    try (var files = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path file : files) {
        int candidate = Integer.parseInt(file.getFileName().toString());
        if (familyAt(candidate, local) != 0) {
          found.add(candidate);
        }
      }
    }
    if (found.size() != 1) {
      throw new IOException(found.size() + " sockets have the address " + local);
    }
    int duplicate = UdpSyscalls.dup(found.getFirst());
    // Meanwhile another file may have been opened with the number.
    short family = duplicate < 0 ? 0 : familyAt(duplicate, local);
    SendSocket opened = new SendSocket(duplicate, family);
    if (family == 0) {
      opened.close();
      throw new IOException("the descriptor of " + local + " cannot be duplicated");
    }
    return opened;
  }

  /** The address family of a UDP socket with this address; 0 for any other file. */
  private static short familyAt(int descriptor, InetSocketAddress local) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment address = arena.allocate(SocketAddresses.SIZE, Integer.BYTES);
      MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
      if (UdpSyscalls.getsockopt(descriptor, SOL_SOCKET, SO_TYPE, value, length) != 0
          || value.get(ValueLayout.JAVA_INT, 0) != SOCK_DGRAM) {
        return 0;
      }
      length.set(ValueLayout.JAVA_INT, 0, SocketAddresses.SIZE);
      return UdpSyscalls.getsockname(descriptor, address, length) == 0
              && isSame(SocketAddresses.read(address), local)
          ? SocketAddresses.family(address)
          : 0;
    }
  }

  /** The JDK shows the wildcard address of IPv6 also as that of IPv4. */
  private static boolean isSame(@Nullable InetSocketAddress address, InetSocketAddress local) {
    return address != null
        && address.getPort() == local.getPort()
        && (address.getAddress().equals(local.getAddress())
            || address.getAddress().isAnyLocalAddress() && local.getAddress().isAnyLocalAddress());
  }

  /** Handles a datagram that was sent, or was not. */
  public interface Outcome {
    void accept(int datagram, boolean sent);
  }

  /**
   * Sends datagrams in their order, with as few system calls as possible. A datagram that cannot be
   * sent does not prevent the others.
   *
   * @param datagrams the octets by number, from 0 on
   * @param peers their destinations
   * @param outcome receives every datagram once, in order; one that was not sent is sent in another
   *     way, or its error is reported, before later ones are sent
   */
  public void send(
      DatagramArray array,
      int count,
      IntFunction<byte[]> datagrams,
      IntFunction<InetSocketAddress> peers,
      Outcome outcome) {
    for (int next = 0; next < count; ) {
      array.clear();
      int first = next;
      while (next < count && array.add(datagrams.apply(next), peers.apply(next), family)) {
        next++;
      }
      sendArray(array, first, outcome);
      if (next < count && array.count() == 0) {
        outcome.accept(next++, false);
      }
    }
  }

  private void sendArray(DatagramArray array, int first, Outcome outcome) {
    for (int done = 0; done < array.count(); ) {
      int sent = sendFrom(array, done);
      if (sent <= 0) {
        outcome.accept(first + done++, false);
      }
      for (int end = done + sent; done < end; done++) {
        outcome.accept(first + done, true);
      }
    }
  }

  private int sendFrom(DatagramArray array, int first) {
    lock.readLock().lock();
    try {
      return descriptor == CLOSED
          ? CLOSED
          : UdpSyscalls.sendmmsg(descriptor, array.messagesFrom(first), array.count() - first);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (descriptor != CLOSED) {
        UdpSyscalls.close(descriptor);
        descriptor = CLOSED;
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
