package dev.vigil.border.associations;

/** Whether an association carries packets. */
public enum AssociationState {
  READY,
  /**
   * There is no record of its sequence numbers, so any number may have been used. The association
   * carries nothing until both ends have a new key.
   */
  RECORD_MISSING,
  /**
   * Its last sequence number was used. The association sends nothing until both ends have a new
   * key.
   */
  EXHAUSTED
}
