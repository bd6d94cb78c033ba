package dev.vigil.mirror.state;

import java.util.Locale;

/** The kinds of requests that the mirror counts when it accepts them. */
public enum Accepted {
  /** An update whose value is stored on disk. */
  UPDATE,
  /** A repeated request that was accepted before; its answer was lost. */
  REPETITION,
  /** A registration, renewal, rotation or withdrawal that is stored on disk. */
  REGISTRATION,
  /** A plain registration that awaits its proof. */
  UNPROVEN_REGISTRATION,
  /** A command that is queued on disk. */
  COMMAND;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
