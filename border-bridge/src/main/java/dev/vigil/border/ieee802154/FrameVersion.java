package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;

/** The edition of the standard that a frame follows; the code point is the ordinal. */
public enum FrameVersion {
  V2003,
  V2006,
  V2015;

  private static final FrameVersion[] BY_CODE = values();

  static FrameVersion of(int code) throws WireException {
    if (code >= BY_CODE.length) {
      throw new WireException(Drop.FRAME_VERSION_UNKNOWN);
    }
    return BY_CODE[code];
  }
}
