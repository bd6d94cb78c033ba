package dev.vigil.border.radio;

import dev.vigil.border.wire.Drop;

/** Reasons why a radio link drops received octets. */
public enum RadioDrop {
  /** Not a frame: too short, too long, or with a malformed header. */
  MALFORMED,
  /** A frame with a wrong FCS. */
  BAD_FCS,
  /** A retransmission of a frame whose acknowledgement was lost. */
  DUPLICATE,
  /** A frame of a sender that exceeds the capacity of the air. */
  OVERLOAD;

  /** The radio's drop reason for octets that the parser refused. */
  public static RadioDrop of(Drop reason) {
    return reason == Drop.FCS_WRONG ? BAD_FCS : MALFORMED;
  }
}
