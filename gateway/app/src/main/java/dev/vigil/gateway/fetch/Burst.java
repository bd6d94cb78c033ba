package dev.vigil.gateway.fetch;

import dev.vigil.signed.cbor.CborWriter;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The answer of {@code /store/send}.
 *
 * @param blocks numbers of the blocks that are sent now
 * @param damaged numbers of blocks that the mote found damaged
 * @param next where the next burst begins; 0: this is the last one
 */
record Burst(SortedSet<Long> blocks, SortedSet<Long> damaged, long next) {
  private static final long FROM = 0;
  private static final long TO = 1;
  private static final long FIRST = 2;
  private static final long BLOCKS = 4;
  private static final long DAMAGED = 5;
  private static final long NEXT = 6;

  /** A request for the blocks of a time range in seconds of unix time, from a block number on. */
  static byte[] request(long from, long to, long first) {
    return new CborWriter()
        .map(first > 0 ? 3 : 2)
        .integer(FROM)
        .integer(from)
        .integer(TO)
        .integer(to)
        .raw(first > 0 ? pair(FIRST, first) : new byte[0])
        .toOctets();
  }

  /** A request for single blocks, within 32 of the first. */
  static byte[] request(SortedSet<Long> numbers) {
    long first = numbers.first();
    long bits = numbers.stream().mapToLong(number -> 1L << number - first).sum();
    return new CborWriter().map(2).raw(pair(FIRST, first)).raw(pair(BLOCKS, bits)).toOctets();
  }

  private static byte[] pair(long label, long value) {
    return new CborWriter().integer(label).integer(value).toOctets();
  }

  /**
   * @throws dev.vigil.signed.SignedObjectException if it is malformed
   */
  static Burst parse(byte[] octets) {
    Map<Long, Long> members = UnsignedMembers.read(octets);
    long first = members.getOrDefault(FIRST, 0L);
    return new Burst(
        numbers(first, members.getOrDefault(BLOCKS, 0L)),
        numbers(first, members.getOrDefault(DAMAGED, 0L)),
        members.getOrDefault(NEXT, 0L));
  }

  private static SortedSet<Long> numbers(long first, long bits) {
    SortedSet<Long> numbers = new TreeSet<>();
    for (int i = 0; i < Integer.SIZE; i++) {
      if ((bits >>> i & 1) != 0) {
        numbers.add(first + i);
      }
    }
    return numbers;
  }
}
