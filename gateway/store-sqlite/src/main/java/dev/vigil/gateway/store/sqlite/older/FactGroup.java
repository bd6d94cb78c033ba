package dev.vigil.gateway.store.sqlite.older;

import dev.vigil.gateway.store.sqlite.rows.DamagedRowException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Some facts of one slot as octets, compressed together (RFC 1951). Signed objects of one endpoint
 * have the same header and similar payloads, so compression leaves little more than the signatures.
 *
 * <p>Format: the length of the content as a variable-length integer, then the compressed content:
 * the number of facts; for each fact the differences of key, sequence number and arrival to those
 * of the fact before, and the length of the body; then the bodies.
 */
final class FactGroup {
  private static final int CONTINUES = 0x80;
  private static final int MAX_SHIFT = 63;
  private static final int MAX_OCTETS = 1 << 30;

  /** The octets of the longest number. */
  private static final int MAX_NUMBER = 10;

  private static final int MIN_ROOM = 512;

  private FactGroup() {}

  /** Writes groups. It has native memory until {@link #close}. */
  static final class Encoder implements AutoCloseable {
    // The fastest level: the others save 2 % of the octets and take twice the time.
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

    private final Growing plain = new Growing();
    private final Growing out = new Growing();

    byte[] encode(List<OlderFact> facts) {
      plain.size = 0;
      plain.put(facts.size());
      OlderFact before = new OlderFact(0, 0, 0, new byte[0]);
      for (OlderFact fact : facts) {
        plain.putSigned(fact.key() - before.key());
        plain.putSigned(fact.sequence() - before.sequence());
        plain.putSigned(fact.at() - before.at());
        plain.put(fact.body().length);
        before = fact;
      }
      facts.forEach(fact -> plain.put(fact.body()));
      return compress();
    }

    private byte[] compress() {
      out.size = 0;
      out.put(plain.size);
      deflater.reset();
      deflater.setInput(plain.octets, 0, plain.size);
      deflater.finish();
      while (!deflater.finished()) {
        out.reserve(MIN_ROOM);
        out.size += deflater.deflate(out.octets, out.size, out.octets.length - out.size);
      }
      return Arrays.copyOf(out.octets, out.size);
    }

    @Override
    public void close() {
      deflater.end();
    }
  }

  static List<OlderFact> decode(byte[] group) throws SQLException {
    Octets compressed = new Octets(group);
    int length = compressed.length();
    Octets plain = new Octets(inflated(group, compressed.next, length));
    int count = plain.length();
    List<Integer> lengths = new ArrayList<>(count);
    List<long[]> numbers = new ArrayList<>(count);
    long[] before = new long[3];
    for (int i = 0; i < count; i++) {
      long[] fact = new long[before.length];
      for (int n = 0; n < fact.length; n++) {
        fact[n] = before[n] + plain.signed();
      }
      numbers.add(fact);
      lengths.add(plain.length());
      before = fact;
    }
    List<OlderFact> facts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long[] fact = numbers.get(i);
      facts.add(new OlderFact(fact[0], fact[1], fact[2], plain.octets(lengths.get(i))));
    }
    return facts;
  }

  private static byte[] inflated(byte[] group, int from, int length) throws SQLException {
    byte[] plain = new byte[length];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(group, from, group.length - from);
      if (inflater.inflate(plain) != length) {
        throw damaged(null);
      }
      return plain;
    } catch (DataFormatException e) {
      throw damaged(e);
    } finally {
      inflater.end();
    }
  }

  private static SQLException damaged(@Nullable Exception cause) {
    return new DamagedRowException("a group of older facts", cause);
  }

  /** Octets to which others are appended. */
  private static final class Growing {
    private byte[] octets = new byte[MIN_ROOM];
    private int size;

    /** Makes room for more octets. */
    void reserve(int more) {
      if (octets.length - size < more) {
        octets = Arrays.copyOf(octets, Math.max(2 * octets.length, size + more));
      }
    }

    void put(byte[] more) {
      reserve(more.length);
      System.arraycopy(more, 0, octets, size, more.length);
      size += more.length;
    }

    void put(long number) {
      reserve(MAX_NUMBER);
      long left = number;
      while ((left & -CONTINUES) != 0) {
        octets[size++] = (byte) (left & (CONTINUES - 1) | CONTINUES);
        left >>>= 7;
      }
      octets[size++] = (byte) left;
    }

    void putSigned(long number) {
      put(number << 1 ^ number >> MAX_SHIFT);
    }
  }

  /** A cursor over octets. */
  private static final class Octets {
    private final byte[] octets;
    private int next;

    Octets(byte[] octets) {
      this.octets = octets;
    }

    long number() throws SQLException {
      long number = 0;
      for (int shift = 0; next < octets.length && shift <= MAX_SHIFT; shift += 7) {
        int octet = octets[next++];
        number |= (long) (octet & (CONTINUES - 1)) << shift;
        if (octet >= 0) {
          return number;
        }
      }
      throw damaged(null);
    }

    long signed() throws SQLException {
      long number = number();
      return number >>> 1 ^ -(number & 1);
    }

    int length() throws SQLException {
      long number = number();
      if (number < 0 || number > MAX_OCTETS) {
        throw damaged(null);
      }
      return (int) number;
    }

    byte[] octets(int length) throws SQLException {
      if (length > octets.length - next) {
        throw damaged(null);
      }
      byte[] taken = Arrays.copyOfRange(octets, next, next + length);
      next += length;
      return taken;
    }
  }
}
