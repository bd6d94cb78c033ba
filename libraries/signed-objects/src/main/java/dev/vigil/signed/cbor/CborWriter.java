package dev.vigil.signed.cbor;

import dev.vigil.signed.wire.WireWriter;
import java.nio.charset.StandardCharsets;

/** Writes CBOR in deterministic form (RFC 8949 section 4.2); the caller orders map keys. */
public final class CborWriter {
  private final WireWriter out = new WireWriter();

  public CborWriter integer(long value) {
    return value < 0 ? head(1, -1 - value) : head(0, value);
  }

  public CborWriter octets(byte[] value) {
    head(2, value.length);
    out.octets(value);
    return this;
  }

  public CborWriter text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    head(3, utf8.length);
    out.octets(utf8);
    return this;
  }

  public CborWriter array(int size) {
    return head(4, size);
  }

  public CborWriter map(int size) {
    return head(5, size);
  }

  public CborWriter tag(long tag) {
    return head(6, tag);
  }

  public CborWriter bool(boolean value) {
    out.u8(value ? 0xf5 : 0xf4);
    return this;
  }

  /** Writes an integer if that is exact, else the shortest exact float. */
  public CborWriter number(double value) {
    long whole = (long) value;
    boolean negativeZero = value == 0 && 1 / value < 0;
    if (whole == value && Math.abs(whole) < 1L << 53 && !negativeZero) {
      return integer(whole);
    }
    float single = (float) value;
    if (single != value) {
      out.u8(0xfb).u64(Double.doubleToRawLongBits(value));
    } else if (Float.float16ToFloat(Float.floatToFloat16(single)) == single) {
      out.u8(0xf9).u16(Float.floatToFloat16(single));
    } else {
      out.u8(0xfa).u32(Float.floatToRawIntBits(single));
    }
    return this;
  }

  /** Writes an item that is already encoded in CBOR. */
  public CborWriter raw(byte[] cbor) {
    out.octets(cbor);
    return this;
  }

  public byte[] toOctets() {
    return out.toOctets();
  }

  private CborWriter head(int major, long value) {
    int first = major << 5;
    if (value < 24) {
      out.u8(first | (int) value);
    } else if (value < 1L << 8) {
      out.u8(first | 24).u8((int) value);
    } else if (value < 1L << 16) {
      out.u8(first | 25).u16((int) value);
    } else if (value < 1L << 32) {
      out.u8(first | 26).u32(value);
    } else {
      out.u8(first | 27).u64(value);
    }
    return this;
  }
}
