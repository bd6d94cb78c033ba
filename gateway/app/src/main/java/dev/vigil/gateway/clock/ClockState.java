package dev.vigil.gateway.clock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of the machine's clock.
 *
 * @param forwardJumps jumps ahead since the start, sleep of the machine included
 * @param backwardJumps jumps back since the start
 * @param lastJump by how much the clock jumped last, negative for a jump back; zero: never
 * @param lastJumpAt the time after that jump; null: never
 * @param behindStore how far the clock is behind the newest time that was stored before the start;
 *     zero: it is not behind
 */
public record ClockState(
    long forwardJumps,
    long backwardJumps,
    Duration lastJump,
    @Nullable Instant lastJumpAt,
    Duration behindStore) {
  /** A clock that is this far behind is wrong; another machine's clock does not explain it. */
  private static final Duration TOLERANCE = Duration.ofMinutes(1);

  /** Whether the clock is certainly wrong now: the store holds a much later time. */
  public boolean isBehind() {
    return behindStore.compareTo(TOLERANCE) > 0;
  }
}
