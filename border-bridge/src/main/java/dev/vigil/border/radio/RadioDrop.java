package dev.vigil.border.radio;

/** Why a radio link threw something away. */
public enum RadioDrop {
  /** Not a frame: too short, too long, or a header that does not parse. */
  MALFORMED,
  /** The FCS is wrong. */
  BAD_FCS,
  /** The same frame again, its acknowledgement having been lost. */
  DUPLICATE,
  /** The other side sends faster than the air carries. */
  OVERLOAD
}
