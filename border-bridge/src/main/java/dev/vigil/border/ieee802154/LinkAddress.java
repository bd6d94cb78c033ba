package dev.vigil.border.ieee802154;

import java.util.HexFormat;

/** An address in a MAC header, or its absence. */
public sealed interface LinkAddress {
  /** The broadcast address of a PAN. */
  Short BROADCAST = new Short(0xffff);

  /** The frame has no such address. */
  None NONE = new None();

  /** Its addressing mode in the frame control field. */
  int mode();

  /**
   * The interface identifier of this address (RFC 4944, section 6; RFC 6282, section 3.2.2); 0
   * without address.
   */
  long interfaceId();

  default boolean isBroadcast() {
    return equals(BROADCAST);
  }

  static LinkAddress of(Eui64 eui64) {
    return new Extended(eui64);
  }

  /** No address. */
  record None() implements LinkAddress {
    @Override
    public int mode() {
      return 0;
    }

    @Override
    public long interfaceId() {
      return 0;
    }

    @Override
    public String toString() {
      return "-";
    }
  }

  /**
   * Sixteen bits, assigned by a coordinator.
   *
   * @param value 0 to 0xffff
   */
  record Short(int value) implements LinkAddress {
    private static final long PATTERN = 0x0000_00ff_fe00_0000L;

    public Short {
      if (value < 0 || value > 0xffff) {
        throw new IllegalArgumentException("a short address has 16 bits");
      }
    }

    @Override
    public int mode() {
      return 2;
    }

    /** {@code 0000:00ff:fe00:XXXX} (RFC 6282, section 3.2.2). */
    @Override
    public long interfaceId() {
      return PATTERN | value;
    }

    @Override
    public String toString() {
      return HexFormat.of().toHexDigits((char) value);
    }
  }

  /** A unique address of 64 bits. */
  record Extended(Eui64 eui64) implements LinkAddress {
    @Override
    public int mode() {
      return 3;
    }

    @Override
    public long interfaceId() {
      return eui64.interfaceId();
    }

    @Override
    public String toString() {
      return eui64.toString();
    }
  }
}
