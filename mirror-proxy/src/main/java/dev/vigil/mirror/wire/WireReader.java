package dev.vigil.mirror.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * A bounds-checked cursor over received octets, big-endian. Nothing else in this module indexes
 * what came from outside.
 */
public final class WireReader {
  /** Marks the end of the input to {@link #peek()}. */
  public static final int END = -1;

  private final byte[] octets;
  private final int end;
  private int position;

  public WireReader(byte[] octets) {
    this(octets, 0, octets.length);
  }

  /** Reads {@code octets[from..to)}; offsets that {@link #position()} gave before. */
  public WireReader(byte[] octets, int from, int to) {
    if (from < 0 || from > to || to > octets.length) {
      throw new IllegalArgumentException("no such region");
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

  /** The next octet without taking it, or {@link #END}. */
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

  /** All 64 bits; what is above 2^63-1 comes out negative. */
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

  /** A cursor over the next octets, which this one passes. */
  public WireReader region(int count) {
    need(count);
    WireReader region = new WireReader(octets, position, position + count);
    position += count;
    return region;
  }

  /** A cursor over the next octets, which this one does not pass. */
  public WireReader lookAhead(int count) {
    need(count);
    return new WireReader(octets, position, position + count);
  }

  /** How far away the next such octet is; {@link #END} when there is none. */
  public int distanceTo(int octet) {
    for (int i = position; i < end; i++) {
      if (octets[i] == (byte) octet) {
        return i - position;
      }
    }
    return END;
  }

  /** The next octets as text, one character each; the caller knows that they are ASCII. */
  public String ascii(int count) {
    need(count);
    String text = new String(octets, position, count, StandardCharsets.ISO_8859_1);
    position += count;
    return text;
  }

  /** Decodes base64url without padding (RFC 7515 section 2); only the canonical form is taken. */
  public byte[] base64url(int count) {
    need(count);
    int unused = count % 4 == 2 ? 0x0f : count % 4 == 3 ? 0x03 : 0;
    if (count % 4 == 1 || (count > 0 && octets[position + count - 1] == '=')) {
      throw Rejection.malformed("base64url of impossible length or with padding");
    }
    if (unused != 0 && (sextet(octets[position + count - 1]) & unused) != 0) {
      throw Rejection.malformed("base64url is not canonical");
    }
    try {
      ByteBuffer decoded = Base64.getUrlDecoder().decode(ByteBuffer.wrap(octets, position, count));
      position += count;
      return decoded.remaining() == decoded.array().length
          ? decoded.array()
          : Arrays.copyOf(decoded.array(), decoded.remaining());
    } catch (IllegalArgumentException e) {
      throw Rejection.malformed("not base64url");
    }
  }

  private static int sextet(int character) {
    if (character >= 'A' && character <= 'Z') {
      return character - 'A';
    }
    if (character >= 'a' && character <= 'z') {
      return character - 'a' + 26;
    }
    if (character >= '0' && character <= '9') {
      return character - '0' + 52;
    }
    return character == '-' ? 62 : 63;
  }

  /** Left-over octets are an error. */
  public void requireEnd(String what) {
    if (position != end) {
      throw Rejection.malformed(what + " is followed by something else");
    }
  }

  private void need(int count) {
    if (count < 0 || count > end - position) {
      throw Rejection.malformed("ends too early");
    }
  }
}
