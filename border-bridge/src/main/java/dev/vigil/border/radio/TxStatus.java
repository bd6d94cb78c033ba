package dev.vigil.border.radio;

/** How the sending of a frame ended. */
public enum TxStatus {
  /** Acknowledged, or sent where no acknowledgement was asked for. */
  OK,
  /** Sent as often as allowed; nobody acknowledged. */
  NO_ACK,
  /** The channel never became free. */
  COLLISION,
  /** The radio refused it or went away. */
  ERROR
}
