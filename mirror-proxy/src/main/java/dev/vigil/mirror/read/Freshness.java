package dev.vigil.mirror.read;

import java.util.Locale;

/** Whether an endpoint sends updates as often as its wake interval says. */
public enum Freshness {
  /** Heard within the last wake interval, or its grace: half an interval, at least 2 s. */
  ON_TIME,
  /** The next update is overdue. */
  LATE,
  /** Silent for three wake intervals, or for one without ever sending a value. */
  MISSING,
  /** Not judged: its updates are refused, because its key is not trusted. */
  NOT_TRUSTED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
