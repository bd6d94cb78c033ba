package dev.vigil.border.tun;

/** Reasons why a packet may not pass between the mesh and the outside. */
public enum FilterDrop {
  /** From outside: no rule allows it, and it belongs to no flow. */
  FILTERED_IN,
  /** From the mesh: no rule allows it, and it belongs to no flow. */
  FILTERED_OUT,
  /** The source address belongs to the other side (RFC 2827, section 3). */
  FILTERED_SOURCE,
  /** From outside, with a routing header (RFC 6554, section 5). */
  FILTERED_ROUTE,
  /** An ICMPv6 error about a packet that belongs to no known flow. */
  FILTERED_ERROR,
  /** From outside, beyond the rate limits. */
  RATE_LIMIT
}
