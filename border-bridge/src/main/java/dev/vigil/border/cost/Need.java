package dev.vigil.border.cost;

/** A security property that a mote's messages may need. */
public enum Need {
  /** Nobody within radio range can read the payload. */
  CONFIDENTIAL_ON_AIR,
  /** Only the two ends can read the payload; routers cannot. */
  CONFIDENTIAL_END_TO_END,
  /** Frames of nodes without the network's key are refused. */
  AUTHENTIC_ON_AIR,
  /** The receiver can verify that the payload comes from the mote. */
  AUTHENTIC_END_TO_END,
  /** Anybody who knows the mote's public key can verify the payload at any later time. */
  AUTHENTIC_TO_ANYBODY
}
