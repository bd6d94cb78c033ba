package dev.vigil.border.radio;

/** The result of a transmission. */
public enum TxStatus {
  /** Acknowledged, or sent without an acknowledgement request. */
  OK,
  /** Not acknowledged after the last retransmission. */
  NO_ACK,
  /** The channel never became free. */
  COLLISION,
  /** The radio refused the frame, or went down. */
  ERROR
}
