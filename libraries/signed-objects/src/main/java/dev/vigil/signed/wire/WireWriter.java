package dev.vigil.signed.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** A growing buffer of octets, big-endian. */
public final class WireWriter {
  private byte[] octets;
  private int size;

  public WireWriter() {
    this(256);
  }

  public WireWriter(int expected) {
    octets = new byte[expected];
  }

  public WireWriter u8(int value) {
    grow(1);
    octets[size++] = (byte) value;
    return this;
  }

  public WireWriter u16(int value) {
    return u8(value >>> 8).u8(value);
  }

  public WireWriter u32(long value) {
    return u16((int) (value >>> 16)).u16((int) value);
  }

  public WireWriter u64(long value) {
    return u32(value >>> 32).u32(value);
  }

  public WireWriter octets(byte[] more) {
    return octets(more, 0, more.length);
  }

  /** Writes {@code more[from..to)}. */
  public WireWriter octets(byte[] more, int from, int to) {
    grow(to - from);
    System.arraycopy(more, from, octets, size, to - from);
    size += to - from;
    return this;
  }

  public WireWriter text(String text) {
    return octets(text.getBytes(StandardCharsets.UTF_8));
  }

  public WireWriter base64url(byte[] plain) {
    return octets(Base64.getUrlEncoder().withoutPadding().encode(plain));
  }

  public int size() {
    return size;
  }

  public byte[] toOctets() {
    return size == octets.length ? octets : Arrays.copyOf(octets, size);
  }

  private void grow(int more) {
    if (size + more > octets.length) {
      octets = Arrays.copyOf(octets, Math.max(size + more, 2 * octets.length));
    }
  }
}
