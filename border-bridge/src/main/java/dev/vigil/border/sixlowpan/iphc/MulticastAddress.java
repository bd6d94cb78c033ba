package dev.vigil.border.sixlowpan.iphc;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * Compressed multicast destinations (RFC 6282, section 3.1.1, M = 1; prefix-based ones: RFC 3306,
 * RFC 3956).
 */
public final class MulticastAddress {
  private static final long ALL_MULTICAST = 0xffL << 56;
  private static final long LINK_LOCAL = 0xff02L << 48;
  private static final long FLAGS_AND_SCOPE = 0xffL << 48;
  private static final int MODE_48 = 1;
  private static final int MODE_32 = 2;
  private static final int MODE_8 = 3;

  private MulticastAddress() {}

  public static AddressForm form(Ipv6Address address, Contexts contexts) {
    boolean simple = (address.high() & ~FLAGS_AND_SCOPE) == ALL_MULTICAST;
    if (address.high() == LINK_LOCAL && address.low() >>> 8 == 0) {
      return new AddressForm(false, MODE_8, 0, 1);
    }
    if (simple && address.low() >>> 24 == 0) {
      return new AddressForm(false, MODE_32, 0, 4);
    }
    if (simple && address.low() >>> 40 == 0) {
      return new AddressForm(false, MODE_48, 0, 6);
    }
    AddressForm best = AddressForm.INLINE;
    for (Contexts.Context context : contexts.list()) {
      if (isBasedOn(context, address)) {
        AddressForm form = new AddressForm(true, AddressForm.FULL, context.id(), 6);
        best = form.cost() < best.cost() ? form : best;
      }
    }
    return best;
  }

  public static void write(AddressForm form, Ipv6Address address, WireWriter out) {
    int flagsAndScope = (int) (address.high() >>> 48) & 0xff;
    if (form.stateful()) {
      out.u16((int) (address.high() >>> 40)).u32(address.low());
      return;
    }
    switch (form.mode()) {
      case MODE_48 -> out.u8(flagsAndScope).u8((int) (address.low() >>> 32)).u32(address.low());
      case MODE_32 -> out.u8(flagsAndScope).u24((int) address.low());
      case MODE_8 -> out.u8((int) address.low());
      default -> address.write(out);
    }
  }

  public static Ipv6Address read(
      boolean stateful, int mode, Contexts.Context context, WireReader in) throws WireException {
    if (stateful) {
      if (mode != AddressForm.FULL || context.length() > Long.SIZE) {
        throw new WireException(Drop.IPHC_RESERVED_MODE);
      }
      long flags = (long) in.u16() << 40 | (long) context.length() << 32;
      long prefix = context.prefix().high();
      return new Ipv6Address(ALL_MULTICAST | flags | prefix >>> 32, prefix << 32 | in.u32());
    }
    return switch (mode) {
      case MODE_48 -> simple(in.u8(), (long) in.u8() << 32 | in.u32());
      case MODE_32 -> simple(in.u8(), in.u24());
      case MODE_8 -> new Ipv6Address(LINK_LOCAL, in.u8());
      default -> Ipv6Address.read(in);
    };
  }

  /** {@code ffXX:XXLL:PPPP:PPPP:PPPP:PPPP:XXXX:XXXX} with the context's length L and prefix P. */
  private static boolean isBasedOn(Contexts.Context context, Ipv6Address address) {
    return context.length() <= Long.SIZE
        && (address.high() >>> 32 & 0xff) == context.length()
        && (address.high() << 32 | address.low() >>> 32) == context.prefix().high();
  }

  private static Ipv6Address simple(int flagsAndScope, long group) {
    return new Ipv6Address(ALL_MULTICAST | (long) flagsAndScope << 48, group);
  }
}
