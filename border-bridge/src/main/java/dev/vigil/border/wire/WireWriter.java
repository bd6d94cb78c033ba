package dev.vigil.border.wire;

import java.util.Arrays;

/**
 * Writes octets in sequence; grows as needed. Numbers are big-endian unless the name ends in LE.
 */
public final class WireWriter {
  private static final int INITIAL_SIZE = 128;

  private byte[] octets;
  private int size;

  public WireWriter() {
    this(INITIAL_SIZE);
  }

  /**
   * @param expected initial capacity in octets; more may follow
   */
  public WireWriter(int expected) {
    octets = new byte[expected];
  }

  /** The number of written octets. */
  public int size() {
    return size;
  }

  public WireWriter u8(int value) {
    ensureCapacity(1);
    octets[size++] = (byte) value;
    return this;
  }

  public WireWriter u16(int value) {
    ensureCapacity(2);
    octets[size] = (byte) (value >> 8);
    octets[size + 1] = (byte) value;
    size += 2;
    return this;
  }

  public WireWriter u16LE(int value) {
    return u16(Short.reverseBytes((short) value));
  }

  public WireWriter u24(int value) {
    return u8(value >> 16).u16(value);
  }

  public WireWriter u32(long value) {
    return u16((int) (value >> 16)).u16((int) value);
  }

  public WireWriter u32LE(long value) {
    return u32(Integer.reverseBytes((int) value));
  }

  public WireWriter u64(long value) {
    ensureCapacity(8);
    for (int i = 0; i < 8; i++) {
      octets[size + i] = (byte) (value >> (56 - 8 * i));
    }
    size += 8;
    return this;
  }

  public WireWriter u64LE(long value) {
    return u64(Long.reverseBytes(value));
  }

  public WireWriter bytes(byte[] source) {
    return bytes(source, 0, source.length);
  }

  public WireWriter zeros(int count) {
    ensureCapacity(count);
    Arrays.fill(octets, size, size + count, (byte) 0);
    size += count;
    return this;
  }

  /** Overwrites the octet at position {@code at}, counted from the first written octet. */
  public void patchU8(int at, int value) {
    requireWritten(at, 1);
    octets[at] = (byte) value;
  }

  /** Overwrites the two octets at position {@code at}. */
  public void patchU16(int at, int value) {
    requireWritten(at, 2);
    octets[at] = (byte) (value >> 8);
    octets[at + 1] = (byte) value;
  }

  /**
   * The written octets. This may be the writer's own array, so the writer must not be used
   * afterwards.
   */
  public byte[] toBytes() {
    return size == octets.length ? octets : Arrays.copyOf(octets, size);
  }

  WireWriter bytes(byte[] source, int from, int count) {
    ensureCapacity(count);
    System.arraycopy(source, from, octets, size, count);
    size += count;
    return this;
  }

  private void requireWritten(int at, int count) {
    if (at < 0 || at + count > size) {
      throw new IllegalArgumentException("patch outside the written octets");
    }
  }

  private void ensureCapacity(int count) {
    if (octets.length - size < count) {
      octets = Arrays.copyOf(octets, Math.max(2 * octets.length, size + count));
    }
  }
}
