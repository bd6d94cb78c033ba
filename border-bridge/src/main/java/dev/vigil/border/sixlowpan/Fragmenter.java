package dev.vigil.border.sixlowpan;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a compressed packet into fragments (RFC 4944, section 5.3). All compressed headers are in
 * the first fragment, and no fragment is larger than Contiki-NG's buffers.
 */
final class Fragmenter {
  /** Contiki-NG's buffer for a first fragment, in uncompressed octets. */
  private static final int CONTIKI_FIRST = 148;

  /** Contiki-NG's buffer for each other fragment, in octets; a multiple of 8. */
  private static final int CONTIKI_NEXT = 110 / FragmentHeader.UNIT * FragmentHeader.UNIT;

  private Fragmenter() {}

  /**
   * @param headers the compressed headers and the uncompressed rest; the headers must leave space
   *     for one unit of 8 octets in the first fragment
   * @param size octets of the uncompressed packet
   * @param maxPayload octets of a frame's payload
   */
  static List<byte[]> split(Compressor.Compressed headers, int size, int tag, int maxPayload)
      throws WireException {
    if (size > FragmentHeader.MAX_SIZE) {
      throw new WireException(Drop.FRAGMENT_SIZE);
    }
    WireReader rest = headers.rest();
    byte[] compressed = headers.header().toBytes();
    int covered = rest.position();
    int available = maxPayload - FragmentHeader.FIRST_LENGTH - compressed.length;
    int end = Math.min(covered + available, Math.max(CONTIKI_FIRST, covered + FragmentHeader.UNIT));
    end = end / FragmentHeader.UNIT * FragmentHeader.UNIT;
    WireWriter first = new WireWriter(maxPayload);
    new FragmentHeader(size, tag, 0).write(first);
    first.bytes(compressed);
    rest.copyTo(first, end - covered);
    List<byte[]> fragments = new ArrayList<>();
    fragments.add(first.toBytes());
    int unit = (maxPayload - FragmentHeader.NEXT_LENGTH) & -FragmentHeader.UNIT;
    int step = Math.min(unit, CONTIKI_NEXT);
    while (!rest.isEmpty()) {
      WireWriter next = new WireWriter(maxPayload);
      new FragmentHeader(size, tag, rest.position()).write(next);
      rest.copyTo(next, Math.min(step, rest.remaining()));
      fragments.add(next.toBytes());
    }
    return fragments;
  }
}
