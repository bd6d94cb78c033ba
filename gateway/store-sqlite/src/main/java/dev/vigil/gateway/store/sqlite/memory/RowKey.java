package dev.vigil.gateway.store.sqlite.memory;

/**
 * The key of a row of {@code fact}: its position and its place in the change, ordered like the
 * feed.
 */
public final class RowKey {
  /** The bits of the place in the change. */
  public static final int ORD_BITS = 10;

  /** The bits of the place in the change, as a mask. */
  public static final int ORD_MASK = (1 << ORD_BITS) - 1;

  private RowKey() {}

  public static long of(long position, int ord) {
    return position << ORD_BITS | ord;
  }

  public static long position(long key) {
    return key >> ORD_BITS;
  }

  public static int ord(long key) {
    return (int) key & ORD_MASK;
  }
}
