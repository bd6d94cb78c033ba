package dev.vigil.mirror;

/** Whether an endpoint was heard when it meant to wake. */
public enum Freshness {
  /** Heard within its wake interval. */
  ON_TIME,
  /** Its next update is overdue. */
  LATE,
  /** Silent for more than three wake intervals, or never heard. */
  MISSING
}
