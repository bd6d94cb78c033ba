package dev.vigil.gateway.alarms;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that only a test moves. */
final class SettableClock extends Clock {
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  void passSeconds(long seconds) {
    now = now.plusSeconds(seconds);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
