package dev.vigil.gateway.automations.actions;

import java.time.Duration;

/** Waits between two attempts. */
@FunctionalInterface
public interface Pause {
  void of(Duration time) throws InterruptedException;
}
