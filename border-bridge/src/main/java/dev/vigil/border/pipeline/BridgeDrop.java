package dev.vigil.border.pipeline;

/** Reasons why the pipeline drops a well-formed frame or packet. */
public enum BridgeDrop {
  /** The pipeline's queue is full. */
  PIPELINE_FULL,
  /** A frame of another PAN, or not a data frame. */
  FRAME_NOT_OURS,
  /** The radio's transmit queue is full. */
  TX_QUEUE_FULL,
  /** The next hop did not acknowledge the frame. */
  TX_NO_ACK,
  /** The radio refused the frame, or is down. */
  TX_RADIO,
  /** There is no route to the destination. */
  NO_ROUTE,
  /** The hop limit is used up. */
  HOP_LIMIT,
  /**
   * A packet from the radio whose source address cannot belong to a mote: the bridge, the kernel,
   * another prefix.
   */
  SOURCE_IMPOSSIBLE,
  /** A packet that must not be forwarded: link-local, multicast, or with its own source route. */
  NOT_FORWARDABLE,
  /** The kernel did not accept a packet. */
  TUN_FAILED,
  /** A frame could not be secured. */
  NOT_SECURED,
  /** The counters could not be saved, so the content of their frames was withheld. */
  NOT_DURABLE
}
