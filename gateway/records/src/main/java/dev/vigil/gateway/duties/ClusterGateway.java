package dev.vigil.gateway.duties;

import java.time.Duration;
import java.time.Instant;

/**
 * A gateway of the cluster, as this gateway last heard of it.
 *
 * @param position of the newest change that it had then
 * @param silent the time since then
 * @param ahead by how much its clock was ahead of this gateway's, with the time that its message
 *     took; negative if it was behind
 */
public record ClusterGateway(
    String name, Instant startedAt, long position, Duration silent, Duration ahead) {
  /** Three beats; a gateway that fails is silent after this time. */
  private static final Duration LONG = Gateways.BEAT.multipliedBy(3);

  /** Whether it does not speak any more. */
  public boolean isSilent() {
    return silent.compareTo(LONG) > 0;
  }
}
