package dev.vigil.border.tun;

/** Why a packet may not pass between the mesh and the world. */
public enum FilterDrop {
  /** No rule lets it in, and no mote asked for it. */
  FILTERED_IN,
  /** No rule lets it out, and it answers nothing. */
  FILTERED_OUT,
  /** Its source cannot be on the side it comes from (RFC 2827). */
  FILTERED_SOURCE,
  /** It brings a source route from outside (RFC 6554, section 5). */
  FILTERED_ROUTE,
  /** An ICMPv6 error about a packet that never passed. */
  FILTERED_ERROR,
  /** The world sends faster into the mesh than it may. */
  RATE_LIMIT
}
