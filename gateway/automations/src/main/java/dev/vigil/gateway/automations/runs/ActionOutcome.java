package dev.vigil.gateway.automations.runs;

/** The outcome of an action. */
public enum ActionOutcome {
  /** It is under way. */
  PENDING,
  /** The mirror queued the command, or the receiver acknowledged the message. */
  DONE,
  FAILED,
  /** The gateway does not know the result, for instance because it stopped; it is not repeated. */
  UNKNOWN
}
