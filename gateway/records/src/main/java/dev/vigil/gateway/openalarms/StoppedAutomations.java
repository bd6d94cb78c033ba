package dev.vigil.gateway.openalarms;

import java.util.List;

/** The automations that are switched on and do not act, for modules that must not use them. */
public interface StoppedAutomations {
  /**
   * An automation that does not act.
   *
   * @param d its domain
   * @param name for people
   */
  record Stopped(String id, String d, String name) {}

  /** The automations that are suspended or cannot run any more. */
  List<Stopped> stopped();
}
