package dev.vigil.mirror.read;

import java.util.Locale;

/** Whether an endpoint sends updates as often as its wake interval says. */
public enum Freshness {
  /** Heard within the last wake interval plus a grace of half an interval, at least 2 s. */
  ON_TIME,
  /** The next update is overdue. */
  LATE,
  /** Silent for three wake intervals, or for one if it never sent a value. */
  MISSING,
  /** Not evaluated, because its key is not trusted and its updates are refused. */
  NOT_TRUSTED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
