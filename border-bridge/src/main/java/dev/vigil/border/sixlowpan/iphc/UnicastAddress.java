package dev.vigil.border.sixlowpan.iphc;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/**
 * Compressed unicast addresses, stateless and context-based (SAM and DAM: RFC 6282, section 3.1.1;
 * interface identifiers: RFC 6282, section 3.2.2).
 */
public final class UnicastAddress {
  private static final long SHORT_PATTERN = 0x0000_00ff_fe00_0000L;
  private static final int[] INLINE = {Ipv6Address.LENGTH, 8, 2, 0};
  private static final AddressForm UNSPECIFIED = new AddressForm(true, AddressForm.FULL, 0, 0);

  private UnicastAddress() {}

  /** The shortest form of a source address. */
  public static AddressForm sourceForm(Ipv6Address address, long linkId, Contexts contexts) {
    return address.isUnspecified() ? UNSPECIFIED : form(address, linkId, contexts);
  }

  /**
   * The shortest form.
   *
   * @param linkId interface identifier of the encapsulating header's address
   */
  public static AddressForm form(Ipv6Address address, long linkId, Contexts contexts) {
    AddressForm best = AddressForm.INLINE;
    if (address.hasLinkLocalPrefix()) {
      int mode = stateless(address.low(), linkId);
      best = new AddressForm(false, mode, 0, INLINE[mode]);
    }
    for (Contexts.Context context : contexts.list()) {
      int mode = stateful(address, linkId, context);
      if (mode != AddressForm.FULL) {
        AddressForm form = new AddressForm(true, mode, context.id(), INLINE[mode]);
        best = form.cost() < best.cost() ? form : best;
      }
    }
    return best;
  }

  /** Reads an address in the form given by SAC and SAM, or by DAC and DAM (M = 0). */
  public static Ipv6Address read(
      boolean stateful, int mode, Contexts.Context context, long linkId, WireReader in)
      throws WireException {
    if (mode == AddressForm.FULL) {
      if (stateful) {
        throw new WireException(Drop.IPHC_RESERVED_MODE);
      }
      return Ipv6Address.read(in);
    }
    long interfaceId =
        switch (mode) {
          case AddressForm.MODE_64 -> in.u64();
          case AddressForm.MODE_16 -> SHORT_PATTERN | in.u16();
          default -> linkId;
        };
    return stateful ? in(context, interfaceId) : Ipv6Address.linkLocal(interfaceId);
  }

  private static int stateless(long interfaceId, long linkId) {
    if (interfaceId == linkId) {
      return AddressForm.ELIDED;
    }
    return isShort(interfaceId) ? AddressForm.MODE_16 : AddressForm.MODE_64;
  }

  private static int stateful(Ipv6Address address, long linkId, Contexts.Context context) {
    if (in(context, linkId).equals(address)) {
      return AddressForm.ELIDED;
    }
    if (in(context, SHORT_PATTERN | address.low() & 0xffff).equals(address)) {
      return AddressForm.MODE_16;
    }
    return in(context, address.low()).equals(address) ? AddressForm.MODE_64 : AddressForm.FULL;
  }

  /** The context's bits, then zeros, then the identifier's bits that the context does not cover. */
  private static Ipv6Address in(Contexts.Context context, long interfaceId) {
    return context.prefix().prefixOf(context.length(), new Ipv6Address(0, interfaceId));
  }

  private static boolean isShort(long interfaceId) {
    return (interfaceId & ~0xffffL) == SHORT_PATTERN;
  }
}
