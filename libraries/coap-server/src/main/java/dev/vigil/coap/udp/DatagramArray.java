package dev.vigil.coap.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/**
 * Datagrams for one call of {@code sendmmsg}, outside the heap: an array of {@code mmsghdr}, each
 * with one {@code iovec}. An object belongs to one thread.
 */
public final class DatagramArray {
  /** Octets of a datagram that fits: more than CoAP's 1 152 octets (RFC 7252 section 4.6). */
  static final int MAX_OCTETS = 1_280;

  private static final int MESSAGE = 64;
  private static final int NAME_LENGTH_AT = 8;
  private static final int VECTORS_AT = 16;
  private static final int VECTOR_COUNT_AT = 24;
  private static final int VECTOR = 16;
  private static final int VECTOR_LENGTH_AT = 8;

  private final int capacity;
  private final MemorySegment messages;
  private final MemorySegment vectors;
  private final MemorySegment addresses;
  private final MemorySegment octets;
  private int count;

  public DatagramArray(int capacity) {
    this.capacity = capacity;
    // Freed with this object, which a thread keeps as long as it lives.
    Arena arena = Arena.ofAuto();
    messages = arena.allocate((long) MESSAGE * capacity, Long.BYTES);
    vectors = arena.allocate((long) VECTOR * capacity, Long.BYTES);
    addresses = arena.allocate((long) SocketAddresses.SIZE * capacity, Integer.BYTES);
    octets = arena.allocate((long) MAX_OCTETS * capacity);
    for (int i = 0; i < capacity; i++) {
      MemorySegment message = message(i);
      message.set(ValueLayout.ADDRESS, 0, address(i));
      message.set(ValueLayout.ADDRESS, VECTORS_AT, vector(i));
      message.set(ValueLayout.JAVA_LONG, VECTOR_COUNT_AT, 1);
      vector(i).set(ValueLayout.ADDRESS, 0, octets(i));
    }
  }

  /**
   * Adds a datagram.
   *
   * @return false if it is too long, if the socket cannot send to this peer, or if the array is
   *     full
   */
  boolean add(byte[] datagram, InetSocketAddress peer, short family) {
    if (count == capacity || datagram.length > MAX_OCTETS) {
      return false;
    }
    int nameLength = SocketAddresses.write(address(count), family, peer);
    if (nameLength == 0) {
      return false;
    }
    message(count).set(ValueLayout.JAVA_INT, NAME_LENGTH_AT, nameLength);
    vector(count).set(ValueLayout.JAVA_LONG, VECTOR_LENGTH_AT, datagram.length);
    MemorySegment.copy(datagram, 0, octets(count), ValueLayout.JAVA_BYTE, 0, datagram.length);
    count++;
    return true;
  }

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /** The datagrams from this one on. */
  MemorySegment messagesFrom(int first) {
    return messages.asSlice((long) MESSAGE * first, (long) MESSAGE * (count - first));
  }

  private MemorySegment message(int i) {
    return messages.asSlice((long) MESSAGE * i, MESSAGE);
  }

  private MemorySegment vector(int i) {
    return vectors.asSlice((long) VECTOR * i, VECTOR);
  }

  private MemorySegment address(int i) {
    return addresses.asSlice((long) SocketAddresses.SIZE * i, SocketAddresses.SIZE);
  }

  private MemorySegment octets(int i) {
    return octets.asSlice((long) MAX_OCTETS * i, MAX_OCTETS);
  }
}
