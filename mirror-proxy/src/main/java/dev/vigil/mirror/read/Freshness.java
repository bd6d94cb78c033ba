package dev.vigil.mirror.read;

import java.util.Locale;

/** Whether an endpoint sends updates as often as its wake interval says. */
public enum Freshness {
  /** Heard within the last wake interval. */
  ON_TIME,
  /** The next update is overdue. */
  LATE,
  /** Silent for three wake intervals, or for one without ever sending a value. */
  MISSING;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
