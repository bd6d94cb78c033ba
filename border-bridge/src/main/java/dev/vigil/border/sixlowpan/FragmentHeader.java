package dev.vigil.border.sixlowpan;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * A fragment header (RFC 4944, section 5.3).
 *
 * @param size octets of the whole uncompressed packet, 11 bits
 * @param tag 16 bits
 * @param offset in octets, a multiple of 8; 0 in the first fragment, which has no such field
 */
record FragmentHeader(int size, int tag, int offset) {
  static final int FIRST_LENGTH = 4;
  static final int NEXT_LENGTH = 5;
  static final int MAX_SIZE = 0x7ff;
  static final int UNIT = 8;

  private static final int FIRST = 0xc0;
  private static final int NEXT = 0xe0;
  private static final int ID_MASK = 0xf8;

  static boolean isFirst(int dispatch) {
    return (dispatch & ID_MASK) == FIRST;
  }

  static boolean isNext(int dispatch) {
    return (dispatch & ID_MASK) == NEXT;
  }

  static FragmentHeader readFirst(WireReader in) throws WireException {
    return new FragmentHeader(in.u16() & MAX_SIZE, in.u16(), 0);
  }

  static FragmentHeader readNext(WireReader in) throws WireException {
    return new FragmentHeader(in.u16() & MAX_SIZE, in.u16(), in.u8() * UNIT);
  }

  void write(WireWriter out) {
    out.u16((offset == 0 ? FIRST : NEXT) << 8 | size).u16(tag);
    if (offset > 0) {
      out.u8(offset / UNIT);
    }
  }
}
