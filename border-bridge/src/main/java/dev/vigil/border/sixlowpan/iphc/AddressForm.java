package dev.vigil.border.sixlowpan.iphc;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireWriter;

/**
 * The compressed form of an address: its mode bits, and the number of inline octets.
 *
 * @param stateful SAC or DAC
 * @param mode SAM or DAM
 * @param context id of the context, 0 if none
 * @param inline number of inline octets
 */
public record AddressForm(boolean stateful, int mode, int context, int inline) {
  public static final int FULL = 0;
  static final int MODE_64 = 1;
  static final int MODE_16 = 2;
  static final int ELIDED = 3;

  static final AddressForm INLINE = new AddressForm(false, FULL, 0, Ipv6Address.LENGTH);

  /** SAC and SAM, or DAC and DAM, in the lowest three bits. */
  public int bits() {
    return (stateful ? 4 : 0) | mode;
  }

  /** Writes the last {@link #inline} octets: the inline form of every unicast mode. */
  public void writeTail(Ipv6Address address, WireWriter out) {
    switch (inline) {
      case 0 -> {}
      case 2 -> out.u16((int) address.low());
      case 8 -> out.u64(address.low());
      default -> address.write(out);
    }
  }

  /** Octets of this form, including the context identifier extension. */
  int cost() {
    return inline + (context == 0 ? 0 : 1);
  }
}
