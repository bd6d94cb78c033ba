package dev.vigil.mirror.model.keys;

/** How a domain decides on the first key of a name (docs/protocol.md section 6). */
public enum TrustPolicy {
  /** The key is trusted at once (leap of faith). */
  FIRST_USE,
  /** The key awaits an operator's approval. */
  APPROVE,
  /** The key is trusted if it was imported; otherwise it is refused. */
  LISTED
}
