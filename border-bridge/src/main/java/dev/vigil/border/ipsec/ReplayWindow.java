package dev.vigil.border.ipsec;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.Arrays;

/**
 * The anti-replay window (RFC 4303, section 3.4.3). It is checked before the ICV is verified and
 * committed afterwards. Its top must be stored before a packet is delivered. After a restart, all
 * numbers up to the stored top count as received.
 */
public final class ReplayWindow {
  private static final long LAST = 0xffff_ffffL;

  private final int size;
  private final long[] received;
  private long top;

  /**
   * @param size the distance below the top within which a number is accepted, 1 to 4096
   * @param storedTop the stored top, 0 for a new association
   */
  public ReplayWindow(int size, long storedTop) {
    if (size < 1 || size > 4096 || storedTop < 0 || storedTop > LAST) {
      throw new IllegalArgumentException(
          "the window size is 1 to 4096, a sequence number has 32 bits");
    }
    this.size = size;
    this.received = new long[(size + Long.SIZE - 1) / Long.SIZE];
    this.top = storedTop;
    Arrays.fill(received, -1L);
  }

  /** The highest accepted sequence number. */
  public long top() {
    return top;
  }

  /**
   * The number that low octets stand for: the least in or above the window, as with the extended
   * numbers of RFC 4303, appendix A. If it is not the sender's, the ICV is wrong.
   *
   * @param octets 1 or 2
   */
  public long whole(int low, int octets) throws WireException {
    long lowest = Math.max(1, top - size + 1);
    long whole = lowest + (low - lowest & (1L << 8 * octets) - 1);
    if (whole > LAST) {
      throw new WireException(Drop.SEQUENCE_REPLAYED, "no such number is left");
    }
    return whole;
  }

  /** Refuses a number that was received before or is too old. Changes nothing. */
  public void check(long sequence) throws WireException {
    boolean old = sequence + size <= top;
    if (sequence == 0 || old || sequence <= top && isReceived(sequence)) {
      throw new WireException(Drop.SEQUENCE_REPLAYED);
    }
  }

  /** Marks a number as received. May be called only after {@link #check} and a valid ICV. */
  public void commit(long sequence) {
    long steps = sequence - top;
    for (long i = 1; i <= Math.min(steps, size); i++) {
      set(top + i, false);
    }
    top = Math.max(top, sequence);
    set(sequence, true);
  }

  private boolean isReceived(long sequence) {
    int index = (int) (sequence % size);
    return (received[index / Long.SIZE] >>> index % Long.SIZE & 1) != 0;
  }

  private void set(long sequence, boolean value) {
    int index = (int) (sequence % size);
    long bit = 1L << index % Long.SIZE;
    if (value) {
      received[index / Long.SIZE] |= bit;
    } else {
      received[index / Long.SIZE] &= ~bit;
    }
  }
}
