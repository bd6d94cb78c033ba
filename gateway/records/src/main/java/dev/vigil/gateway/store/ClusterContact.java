package dev.vigil.gateway.store;

import java.time.Duration;

/**
 * The state of the servers of a cluster, as a gateway last learned it.
 *
 * @param silence the time since their last answer while the gateway has no contact with them; zero
 *     while it has contact. During a silence, the gateway's data may be as old as the silence.
 * @param lag changes in the stream that this gateway's replica did not have
 * @param servers the servers that had the whole stream
 * @param copies the servers that should have it
 * @param ahead by how much the servers' clock was ahead of this machine's; negative if behind
 */
public record ClusterContact(Duration silence, long lag, int servers, int copies, Duration ahead) {
  /** Whether other gateways may have stored newer values than this one shows. */
  public boolean isLost() {
    return silence.isPositive();
  }

  /** The silence in seconds, rounded up. */
  public long silentSeconds() {
    return silence.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
