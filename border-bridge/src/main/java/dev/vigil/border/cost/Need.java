package dev.vigil.border.cost;

/** A property that somebody needs of a mote's messages. */
public enum Need {
  /** Nobody within radio range reads the payload. */
  CONFIDENTIAL_ON_AIR,
  /** Nobody but the two ends reads the payload, no router either. */
  CONFIDENTIAL_END_TO_END,
  /** Frames of nodes without the network's key are refused. */
  AUTHENTIC_ON_AIR,
  /** The receiver knows that the payload is the mote's. */
  AUTHENTIC_END_TO_END,
  /** Anybody who knows the mote's public key can check the payload, also later. */
  AUTHENTIC_TO_ANYBODY
}
