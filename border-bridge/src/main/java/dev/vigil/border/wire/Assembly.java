package dev.vigil.border.wire;

import java.util.Arrays;
import java.util.BitSet;

/** A buffer of known size that is filled piece by piece, in any order. */
public final class Assembly {
  private final byte[] octets;
  private final BitSet filled;
  private int missing;

  /** What became of a piece. */
  public enum Placed {
    /** It filled a hole. */
    NEW,
    /** All of it was there already, octet for octet. */
    DUPLICATE,
    /** Some of it was there already, and it is not a repetition. */
    OVERLAP,
    /** It reaches beyond the end. */
    OUTSIDE
  }

  public Assembly(int size) {
    octets = new byte[size];
    filled = new BitSet(size);
    missing = size;
  }

  public int size() {
    return octets.length;
  }

  /** Puts a piece in place, unless the answer is anything but {@link Placed#NEW}. */
  public Placed place(int offset, byte[] piece) {
    int end = offset + piece.length;
    if (offset < 0 || end > octets.length) {
      return Placed.OUTSIDE;
    }
    int set = filled.nextSetBit(offset);
    if (set < 0 || set >= end) {
      System.arraycopy(piece, 0, octets, offset, piece.length);
      filled.set(offset, end);
      missing -= piece.length;
      return Placed.NEW;
    }
    boolean same =
        filled.nextClearBit(offset) >= end
            && Arrays.equals(octets, offset, end, piece, 0, piece.length);
    return same ? Placed.DUPLICATE : Placed.OVERLAP;
  }

  public boolean isComplete() {
    return missing == 0;
  }

  /** The whole, when complete. Ends the assembly's life: the array is its own. */
  public byte[] toBytes() {
    if (!isComplete()) {
      throw new IllegalStateException("pieces are missing");
    }
    return octets;
  }
}
