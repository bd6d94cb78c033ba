package dev.vigil.signed.wire;

import dev.vigil.signed.SignedObjectException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A bounds-checked cursor over received octets, big-endian. No other class of this library indexes
 * received octets, except {@link StringCache} within bounds checked here.
 */
public final class WireReader {
  /** Result of {@link #peek()} at the end of the input. */
  public static final int END = -1;

  private static final int SEXTET = 6;
  private static final byte[] SEXTETS = new byte[128];

  static {
    Arrays.fill(SEXTETS, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int i = 0; i < alphabet.length(); i++) {
      SEXTETS[alphabet.charAt(i)] = (byte) i;
    }
  }

  private final byte[] octets;
  private final int end;
  private int position;

  public WireReader(byte[] octets) {
    this(octets, 0, octets.length);
  }

  /** A cursor over {@code octets[from..to)}. */
  public WireReader(byte[] octets, int from, int to) {
    if (from < 0 || from > to || to > octets.length) {
      throw new IllegalArgumentException("region out of bounds");
    }
    this.octets = octets;
    this.position = from;
    this.end = to;
  }

  public int position() {
    return position;
  }

  public int remaining() {
    return end - position;
  }

  public boolean atEnd() {
    return position == end;
  }

  /** The next octet without consuming it, or {@link #END}. */
  public int peek() {
    return position == end ? END : octets[position] & 0xff;
  }

  public int u8() {
    need(1);
    return octets[position++] & 0xff;
  }

  public int u16() {
    return u8() << 8 | u8();
  }

  public long u32() {
    return (long) u16() << 16 | u16();
  }

  /** Reads all 64 bits; values above 2^63-1 become negative. */
  public long u64() {
    return u32() << 32 | u32();
  }

  public byte[] octets(int count) {
    need(count);
    byte[] copy = Arrays.copyOfRange(octets, position, position + count);
    position += count;
    return copy;
  }

  public byte[] rest() {
    return octets(remaining());
  }

  public void skip(int count) {
    need(count);
    position += count;
  }

  /** Returns a cursor over the next octets; this cursor consumes them. */
  public WireReader region(int count) {
    need(count);
    WireReader region = new WireReader(octets, position, position + count);
    position += count;
    return region;
  }

  /** Returns a cursor over the next octets; this cursor does not consume them. */
  public WireReader lookAhead(int count) {
    need(count);
    return new WireReader(octets, position, position + count);
  }

  /** The number of octets before the next occurrence of an octet; {@link #END} if there is none. */
  public int distanceTo(int octet) {
    for (int i = position; i < end; i++) {
      if (octets[i] == (byte) octet) {
        return i - position;
      }
    }
    return END;
  }

  /** The next octets as ASCII text. The caller has checked that they are ASCII. */
  public String ascii(int count) {
    need(count);
    String text =
        count <= StringCache.MAX_LENGTH
            ? StringCache.of(octets, position, count)
            : new String(octets, position, count, StandardCharsets.ISO_8859_1);
    position += count;
    return text;
  }

  /**
   * Decodes base64url without padding (RFC 7515 section 2); only the canonical form is accepted.
   */
  public byte[] base64url(int count) {
    need(count);
    if (count % 4 == 1) {
      throw SignedObjectException.malformed("invalid base64url length");
    }
    byte[] plain = new byte[(int) (count * 3L / 4)];
    int bits = 0;
    int pending = 0;
    int size = 0;
    for (int i = position; i < position + count; i++) {
      pending = pending << SEXTET | sextet(octets[i]);
      bits += SEXTET;
      if (bits >= Byte.SIZE) {
        bits -= Byte.SIZE;
        plain[size++] = (byte) (pending >>> bits);
      }
    }
    if ((pending & (1 << bits) - 1) != 0) {
      throw SignedObjectException.malformed("base64url is not canonical");
    }
    position += count;
    return plain;
  }

  private static int sextet(byte character) {
    int value = character < 0 ? -1 : SEXTETS[character];
    if (value < 0) {
      throw SignedObjectException.malformed("not base64url");
    }
    return value;
  }

  /**
   * Refuses left-over octets.
   *
   * @param format name of the format that has ended, for the diagnostic
   */
  public void requireEnd(String format) {
    if (position != end) {
      throw SignedObjectException.malformed(format + " is followed by further octets");
    }
  }

  private void need(int count) {
    if (count < 0 || count > end - position) {
      throw SignedObjectException.malformed("ends too early");
    }
  }
}
