package dev.vigil.border.wire;

import java.util.Arrays;

/**
 * A bounds-checked cursor over received octets; no other class of this module indexes them ({@code
 * OctetAccessTest}). Every read past the end throws {@link Drop#TRUNCATED}. Numbers are big-endian
 * unless the name ends in LE. The array is neither copied nor changed.
 */
public final class WireReader {
  private final byte[] octets;
  private final int limit;
  private int position;

  public WireReader(byte[] octets) {
    this(octets, 0, octets.length);
  }

  private WireReader(byte[] octets, int from, int limit) {
    this.octets = octets;
    this.position = from;
    this.limit = limit;
  }

  /** The number of unread octets. */
  public int remaining() {
    return limit - position;
  }

  /** The cursor's offset from the start of the array. */
  public int position() {
    return position;
  }

  public boolean isEmpty() {
    return position == limit;
  }

  /** The next octet (0 to 255), which stays unread. */
  public int peek() throws WireException {
    require(1);
    return octets[position] & 0xff;
  }

  /** The next octet (0 to 255), which stays unread, or {@code otherwise} at the end. */
  public int peekOr(int otherwise) {
    return isEmpty() ? otherwise : octets[position] & 0xff;
  }

  public int u8() throws WireException {
    require(1);
    return octets[position++] & 0xff;
  }

  public int u16() throws WireException {
    require(2);
    int value = (octets[position] & 0xff) << 8 | octets[position + 1] & 0xff;
    position += 2;
    return value;
  }

  public int u16LE() throws WireException {
    return Short.toUnsignedInt(Short.reverseBytes((short) u16()));
  }

  public int u24() throws WireException {
    return u8() << 16 | u16();
  }

  /** Four octets as an unsigned number. */
  public long u32() throws WireException {
    return (long) u16() << 16 | u16();
  }

  public long u32LE() throws WireException {
    return Integer.toUnsignedLong(Integer.reverseBytes((int) u32()));
  }

  /** Eight octets; the sign bit is the first octet's highest. */
  public long u64() throws WireException {
    require(8);
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | octets[position + i] & 0xff;
    }
    position += 8;
    return value;
  }

  public long u64LE() throws WireException {
    return Long.reverseBytes(u64());
  }

  /** A copy of the next {@code count} octets. */
  public byte[] bytes(int count) throws WireException {
    require(count);
    byte[] copy = Arrays.copyOfRange(octets, position, position + count);
    position += count;
    return copy;
  }

  /** A copy of all unread octets; the reader is empty afterwards. */
  public byte[] rest() {
    byte[] copy = Arrays.copyOfRange(octets, position, limit);
    position = limit;
    return copy;
  }

  public void skip(int count) throws WireException {
    require(count);
    position += count;
  }

  /** A reader of only the next {@code count} octets, which this reader skips. */
  public WireReader region(int count) throws WireException {
    require(count);
    WireReader region = new WireReader(octets, position, position + count);
    position += count;
    return region;
  }

  /** A second reader at the same position; reading it does not move this one. */
  public WireReader fork() {
    return new WireReader(octets, position, limit);
  }

  /** Copies the next {@code count} octets to a writer. */
  public void copyTo(WireWriter out, int count) throws WireException {
    require(count);
    out.bytes(octets, position, count);
    position += count;
  }

  /** Throws if octets are unread. */
  public void end() throws WireException {
    if (position != limit) {
      throw new WireException(Drop.TRAILING_OCTETS);
    }
  }

  private void require(int count) throws WireException {
    if (count < 0 || limit - position < count) {
      throw new WireException(Drop.TRUNCATED);
    }
  }
}
