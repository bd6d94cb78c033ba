package dev.vigil.border.sixlowpan.iphc;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/** The HLIM field: hop limits 1, 64 and 255 have no inline octet (RFC 6282, section 3.1.1). */
public final class HopLimit {
  private HopLimit() {}

  public static int mode(int hopLimit) {
    return switch (hopLimit) {
      case 1 -> 1;
      case 64 -> 2;
      case 255 -> 3;
      default -> 0;
    };
  }

  public static void write(int hopLimit, WireWriter out) {
    if (mode(hopLimit) == 0) {
      out.u8(hopLimit);
    }
  }

  public static int read(int mode, WireReader in) throws WireException {
    return switch (mode) {
      case 1 -> 1;
      case 2 -> 64;
      case 3 -> 255;
      default -> in.u8();
    };
  }
}
