package dev.vigil.coap.fastpath;

/** How busy the server is when a datagram's turn comes. */
public enum Load {
  /** No other request waits: the calling thread may answer a GET, instead of a worker. */
  IDLE,
  /** Requests wait for workers. */
  WORKING,
  /** The datagram has waited in the queue by source, because workers are behind. */
  BEHIND
}
