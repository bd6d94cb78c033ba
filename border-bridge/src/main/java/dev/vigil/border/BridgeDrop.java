package dev.vigil.border;

/** Why the pipeline dropped what was not malformed. */
public enum BridgeDrop {
  /** The pipeline has too much to do. */
  PIPELINE_FULL,
  /** A frame of another PAN, or no data frame. */
  FRAME_NOT_OURS,
  /** Too many packets wait for this radio. */
  TX_QUEUE_FULL,
  /** The next hop did not acknowledge. */
  TX_NO_ACK,
  /** The radio refused the frame, or is away. */
  TX_RADIO,
  /** Nobody knows a way to the destination. */
  NO_ROUTE,
  /** The packet has travelled too far. */
  HOP_LIMIT,
  /** From the radio, with a source that no mote has: ours, the kernel's, of another prefix. */
  SOURCE_IMPOSSIBLE,
  /** A packet that must not be forwarded: local, to a group, or with a route of its own. */
  NOT_FORWARDABLE,
  /** The kernel did not take a packet. */
  TUN_FAILED,
  /** A frame could not be secured. */
  NOT_SECURED,
  /** The memory for counters failed, so the content of frames was held back. */
  NOT_DURABLE
}
