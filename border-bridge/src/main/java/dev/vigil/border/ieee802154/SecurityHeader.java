package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;

/**
 * The auxiliary security header (802.15.4-2006, section 7.6.2). On the wire the frame counter is
 * little-endian.
 *
 * @param frameCounter 0 to 2^32-1
 */
public record SecurityHeader(SecurityLevel level, KeyId keyId, long frameCounter) {
  /** The counter value at which a key must be changed. */
  public static final long LAST_COUNTER = 0xffff_ffffL;

  private static final int CONTROL_AND_COUNTER = 5;

  public SecurityHeader {
    if (frameCounter < 0 || frameCounter > LAST_COUNTER) {
      throw new IllegalArgumentException("a frame counter has 32 bits");
    }
  }

  /** Octets on the wire. */
  public int length() {
    return CONTROL_AND_COUNTER + keyId.length();
  }

  static SecurityHeader parse(WireReader in, FrameVersion version) throws WireException {
    if (version == FrameVersion.V2003) {
      throw new WireException(Drop.SECURITY_OF_2003);
    }
    int control = in.u8();
    if (control >> 5 != 0) {
      throw new WireException(Drop.SECURITY_RESERVED_BITS);
    }
    long counter = in.u32LE();
    KeyId keyId =
        switch (control >> 3 & 3) {
          case 0 -> KeyId.IMPLICIT;
          case 1 -> new KeyId.Index(in.u8());
          case 2 -> new KeyId.Source4((int) in.u32(), in.u8());
          default -> new KeyId.Source8(in.u64(), in.u8());
        };
    return new SecurityHeader(SecurityLevel.of(control & 7), keyId, counter);
  }

  void write(WireWriter out) {
    out.u8(level.ordinal() | keyId.mode() << 3).u32LE(frameCounter);
    switch (keyId) {
      case KeyId.Implicit ignored -> {}
      case KeyId.Index(int index) -> out.u8(index);
      case KeyId.Source4(int source, int index) -> out.u32(source).u8(index);
      case KeyId.Source8(long source, int index) -> out.u64(source).u8(index);
    }
  }
}
