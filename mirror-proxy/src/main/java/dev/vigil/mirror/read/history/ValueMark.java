package dev.vigil.mirror.read.history;

/** Caveats about a mirrored value. */
public enum ValueMark {
  /** The next update is overdue. */
  STALE,
  /** The measurement was older than the domain's {@code max-delay} when it arrived. */
  DELAYED,
  /** The signing key was revoked. */
  REVOKED
}
