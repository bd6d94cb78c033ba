package dev.vigil.border.wire;

import java.util.Arrays;
import java.util.BitSet;

/** A buffer of known size that is filled by fragments in any order. */
public final class ReassemblyBuffer {
  private final byte[] octets;
  private final BitSet filled;
  private int missing;

  /** The result of placing a fragment. */
  public enum Placement {
    /** The fragment filled missing octets. */
    NEW,
    /** All of its octets were already present, with the same values. */
    DUPLICATE,
    /** Some of its octets were already present, but it is not a repetition. */
    OVERLAP,
    /** The fragment reaches beyond the end. */
    OUTSIDE
  }

  public ReassemblyBuffer(int size) {
    octets = new byte[size];
    filled = new BitSet(size);
    missing = size;
  }

  public int size() {
    return octets.length;
  }

  /** Copies a fragment into the buffer; only {@link Placement#NEW} changes the buffer. */
  public Placement place(int offset, byte[] piece) {
    int end = offset + piece.length;
    if (offset < 0 || end > octets.length) {
      return Placement.OUTSIDE;
    }
    int set = filled.nextSetBit(offset);
    if (set < 0 || set >= end) {
      System.arraycopy(piece, 0, octets, offset, piece.length);
      filled.set(offset, end);
      missing -= piece.length;
      return Placement.NEW;
    }
    boolean same =
        filled.nextClearBit(offset) >= end
            && Arrays.equals(octets, offset, end, piece, 0, piece.length);
    return same ? Placement.DUPLICATE : Placement.OVERLAP;
  }

  public boolean isComplete() {
    return missing == 0;
  }

  /**
   * All octets of the complete buffer. This is the buffer's own array, so the buffer must not be
   * used afterwards.
   */
  public byte[] toBytes() {
    if (!isComplete()) {
      throw new IllegalStateException("fragments are missing");
    }
    return octets;
  }
}
