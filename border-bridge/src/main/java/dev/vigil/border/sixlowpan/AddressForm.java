package dev.vigil.border.sixlowpan;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireWriter;

/**
 * How an address is written: which mode bits stand for it, and which of its octets go inline.
 *
 * @param stateful SAC or DAC
 * @param mode SAM or DAM
 * @param context id of the context, 0 if none
 * @param inline how many octets follow
 */
record AddressForm(boolean stateful, int mode, int context, int inline) {
  static final int FULL = 0;
  static final int MODE_64 = 1;
  static final int MODE_16 = 2;
  static final int ELIDED = 3;

  static final AddressForm INLINE = new AddressForm(false, FULL, 0, Ipv6Address.LENGTH);

  /** SAC or DAC, and SAM or DAM, as they stand in three of the four bits. */
  int bits() {
    return (stateful ? 4 : 0) | mode;
  }

  /** Writes the last {@link #inline} octets: the inline form of every unicast mode. */
  void writeTail(Ipv6Address address, WireWriter out) {
    switch (inline) {
      case 0 -> {}
      case 2 -> out.u16((int) address.low());
      case 8 -> out.u64(address.low());
      default -> address.write(out);
    }
  }

  /** Octets this form costs, the context identifier extension counted. */
  int cost() {
    return inline + (context == 0 ? 0 : 1);
  }
}
