package dev.vigil.border.radio;

import dev.vigil.border.wire.Drop;

/** Why a radio link threw something away. */
public enum RadioDrop {
  /** Not a frame: too short, too long, or a header that does not parse. */
  MALFORMED,
  /** The FCS is wrong. */
  BAD_FCS,
  /** The same frame again, its acknowledgement having been lost. */
  DUPLICATE,
  /** The other side sends faster than the air carries. */
  OVERLOAD;

  /** What a radio calls octets that are no frame, for this reason. */
  public static RadioDrop of(Drop reason) {
    return reason == Drop.FCS_WRONG ? BAD_FCS : MALFORMED;
  }
}
