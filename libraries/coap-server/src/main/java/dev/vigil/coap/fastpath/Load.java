package dev.vigil.coap.fastpath;

/** How busy the server is when it takes up a datagram. */
public enum Load {
  /** No other request is waiting; the calling thread may answer a GET itself. */
  IDLE,
  /** Requests are waiting for workers. */
  WORKING,
  /** The datagram has waited in the per-source queue because the workers are behind. */
  BEHIND
}
