package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/**
 * The mesh addressing header (RFC 4944, section 5.2): originator and final destination of a packet
 * that is forwarded below IP. Its addresses replace those of the frame.
 */
record MeshHeader(int hopsLeft, LinkAddress originator, LinkAddress destination) {
  private static final int ID = 0x80;
  private static final int ID_MASK = 0xc0;
  private static final int ORIGINATOR_SHORT = 0x20;
  private static final int DESTINATION_SHORT = 0x10;
  private static final int DEEP_HOPS = 0xf;

  static boolean is(int dispatch) {
    return (dispatch & ID_MASK) == ID;
  }

  static MeshHeader read(WireReader in) throws WireException {
    int first = in.u8();
    int hops = first & DEEP_HOPS;
    return new MeshHeader(
        hops == DEEP_HOPS ? in.u8() : hops,
        address((first & ORIGINATOR_SHORT) != 0, in),
        address((first & DESTINATION_SHORT) != 0, in));
  }

  private static LinkAddress address(boolean isShort, WireReader in) throws WireException {
    return isShort
        ? new LinkAddress.Short(in.u16())
        : new LinkAddress.Extended(new Eui64(in.u64()));
  }
}
