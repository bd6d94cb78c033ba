package dev.vigil.border.associations;

/** Whether an association carries packets. */
public enum AssociationState {
  READY,
  /**
   * There is no record of its sequence numbers, so they may have been used: it carries nothing
   * until both ends have a new key.
   */
  RECORD_MISSING,
  /** Its last sequence number was used: it sends nothing until both ends have a new key. */
  EXHAUSTED
}
