package dev.vigil.border.radio;

import dev.vigil.border.wire.Drop;

/** Reasons for which a radio link drops received octets. */
public enum RadioDrop {
  /** Not a frame: too short, too long, or a header that does not parse. */
  MALFORMED,
  /** A frame with a wrong FCS. */
  BAD_FCS,
  /** A retransmission of a frame whose acknowledgement was lost. */
  DUPLICATE,
  /** A frame of a sender that is faster than the air. */
  OVERLOAD;

  /** The radio's reason for octets that the parser refused. */
  public static RadioDrop of(Drop reason) {
    return reason == Drop.FCS_WRONG ? BAD_FCS : MALFORMED;
  }
}
