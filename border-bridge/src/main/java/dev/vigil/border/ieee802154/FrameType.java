package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;

/** The frame types; the code point is the ordinal (802.15.4-2006, section 7.2.1.1.1). */
public enum FrameType {
  BEACON,
  DATA,
  ACKNOWLEDGEMENT,
  COMMAND;

  private static final FrameType[] BY_CODE = values();

  static FrameType of(int code) throws WireException {
    if (code >= BY_CODE.length) {
      throw new WireException(Drop.FRAME_TYPE_UNKNOWN);
    }
    return BY_CODE[code];
  }
}
