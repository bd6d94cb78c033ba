package dev.vigil.mirror;

/** How a domain comes to trust a new key. */
public enum TrustPolicy {
  /** The first key of a name is trusted at once: a leap of faith. */
  FIRST_USE,
  /** Held until an operator approves. */
  APPROVE,
  /** Only keys that were imported before. */
  LISTED
}
