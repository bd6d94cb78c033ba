package dev.vigil.signed.cbor;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.wire.Utf8;
import dev.vigil.signed.wire.WireReader;
import java.util.HashSet;
import java.util.Set;

/**
 * A strict pull reader of CBOR (RFC 8949): it refuses indefinite lengths, ill-formed UTF-8,
 * duplicate keys and deep nesting. The caller reads each item as the type that it must have.
 */
public final class CborReader {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_KEYS = 64;

  private final WireReader in;
  private int depth;

  public CborReader(WireReader in) {
    this.in = in;
  }

  /** Major types 0 to 7. */
  public enum Kind {
    UNSIGNED,
    NEGATIVE,
    OCTETS,
    TEXT,
    ARRAY,
    MAP,
    TAG,
    SIMPLE
  }

  /** A map key: text or an integer. */
  public sealed interface Key {}

  public record IntKey(long value) implements Key {}

  public record TextKey(String value) implements Key {}

  /** Reads the value of one key. */
  @FunctionalInterface
  public interface Entry {
    void read(Key key);
  }

  public Kind next() {
    if (in.atEnd()) {
      throw SignedObjectException.malformed("CBOR ends too early");
    }
    return Kind.values()[in.peek() >> 5];
  }

  public long unsigned() {
    return head(Kind.UNSIGNED);
  }

  /** A signed integer of 64 bits. */
  public long integer() {
    return next() == Kind.NEGATIVE ? -1 - head(Kind.NEGATIVE) : head(Kind.UNSIGNED);
  }

  public byte[] octets() {
    return in.octets(length(Kind.OCTETS));
  }

  public String text() {
    return Utf8.decode(in.octets(length(Kind.TEXT)));
  }

  /** Consumes the next tag and returns its number. */
  public long tag() {
    return head(Kind.TAG);
  }

  /** Opens an array and returns the number of its items. */
  public int array() {
    return length(Kind.ARRAY);
  }

  public void map(Entry entry) {
    int size = length(Kind.MAP);
    if (size > MAX_KEYS) {
      throw SignedObjectException.malformed("too many CBOR keys");
    }
    descend();
    Set<Key> seen = HashSet.newHashSet(size);
    for (int i = 0; i < size; i++) {
      Key key = next() == Kind.TEXT ? new TextKey(text()) : new IntKey(integer());
      if (!seen.add(key)) {
        throw SignedObjectException.malformed("a CBOR key occurs twice");
      }
      entry.read(key);
    }
    depth--;
  }

  public boolean bool() {
    return switch (in.u8()) {
      case 0xf4 -> false;
      case 0xf5 -> true;
      default -> throw SignedObjectException.malformed("not a CBOR boolean");
    };
  }

  /** An integer, a float of any width, or a decimal fraction (tag 4), as a double. */
  public double number() {
    return switch (next()) {
      case UNSIGNED, NEGATIVE -> integer();
      case SIMPLE -> floating();
      case TAG -> decimalFraction();
      case OCTETS, TEXT, ARRAY, MAP -> throw SignedObjectException.malformed("not a CBOR number");
    };
  }

  public void skip() {
    switch (next()) {
      case UNSIGNED, NEGATIVE -> integer();
      case OCTETS -> octets();
      case TEXT -> text();
      case ARRAY -> {
        int size = array();
        descend();
        for (int i = 0; i < size; i++) {
          skip();
        }
        depth--;
      }
      case MAP -> map(key -> skip());
      case TAG -> {
        tag();
        descend();
        skip();
        depth--;
      }
      case SIMPLE -> simple();
    }
  }

  public void end() {
    in.requireEnd("CBOR");
  }

  private void descend() {
    if (++depth > MAX_DEPTH) {
      throw SignedObjectException.malformed("CBOR nested too deeply");
    }
  }

  private int length(Kind kind) {
    long length = head(kind);
    // Each item has at least one octet; refuse impossible lengths before allocating anything.
    if (length > in.remaining()) {
      throw SignedObjectException.malformed("CBOR ends too early");
    }
    return (int) length;
  }

  private long head(Kind kind) {
    if (next() != kind) {
      throw SignedObjectException.malformed("CBOR: expected " + kind + ", found " + next());
    }
    int additional = in.u8() & 0x1f;
    if (additional < 24) {
      return additional;
    }
    long value =
        switch (additional) {
          case 24 -> in.u8();
          case 25 -> in.u16();
          case 26 -> in.u32();
          case 27 -> in.u64();
          default -> throw SignedObjectException.malformed("CBOR of indefinite length");
        };
    if (value < 0) {
      throw SignedObjectException.malformed("CBOR number above 2^63-1");
    }
    return value;
  }

  private double floating() {
    return switch (in.u8()) {
      case 0xf9 -> finite(Float.float16ToFloat((short) in.u16()));
      case 0xfa -> finite(Float.intBitsToFloat((int) in.u32()));
      case 0xfb -> finite(Double.longBitsToDouble(in.u64()));
      default -> throw SignedObjectException.malformed("not a CBOR number");
    };
  }

  private static double finite(double value) {
    if (!Double.isFinite(value)) {
      throw SignedObjectException.malformed("not a finite number");
    }
    return value;
  }

  private double decimalFraction() {
    if (tag() != 4 || array() != 2) {
      throw SignedObjectException.malformed("not a CBOR number");
    }
    long exponent = integer();
    long mantissa = integer();
    return finite(Double.parseDouble(mantissa + "e" + exponent));
  }

  private void simple() {
    switch (in.u8()) {
      case 0xf4, 0xf5, 0xf6, 0xf7 -> {}
      case 0xf9 -> in.skip(2);
      case 0xfa -> in.skip(4);
      case 0xfb -> in.skip(8);
      default -> throw SignedObjectException.malformed("unknown CBOR simple value");
    }
  }
}
