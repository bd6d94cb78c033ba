package dev.vigil.gateway.month;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/**
 * The one time of a month, in microseconds from its beginning, and the gateway's wall clock, which
 * can be wrong. Set by the month's thread, read by any.
 */
final class VirtualTime {
  /** The wall clock's time at the beginning. */
  static final Instant BEGINNING = Instant.parse("2027-01-01T00:00:00Z");

  private volatile long micros;
  private volatile Duration gatewayError = Duration.ZERO;

  long micros() {
    return micros;
  }

  void advance(long to) {
    if (to < micros) {
      throw new IllegalStateException("time goes back");
    }
    micros = to;
  }

  /** The time at a number of microseconds. */
  static Instant at(long micros) {
    return BEGINNING.plusNanos(micros * 1000);
  }

  /** The right time. */
  Instant now() {
    return at(micros);
  }

  void setGatewayError(Duration error) {
    gatewayError = error;
  }

  Duration gatewayError() {
    return gatewayError;
  }

  Clock gatewayClock() {
    return ((InstantSource) () -> now().plus(gatewayError)).withZone(ZoneOffset.UTC);
  }

  /** Monotonic; not zero, which stands for an unknown time. */
  long nanoTime() {
    return micros * 1000 + 1;
  }
}
