package dev.vigil.mirror;

/** What a reader of a mirrored value should know about it. */
public enum Mark {
  /** The next update is overdue. */
  STALE,
  /** Measured longer before its arrival than the domain's {@code max-delay}. */
  DELAYED,
  /** The key that signed it was revoked. */
  REVOKED
}
