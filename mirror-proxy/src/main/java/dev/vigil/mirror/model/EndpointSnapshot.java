package dev.vigil.mirror.model;

import org.jspecify.annotations.Nullable;

/**
 * The state of an endpoint name that a registration is decided on.
 *
 * @param endpoint null when the mirror has no endpoint of that name
 * @param high H, the highest accepted sequence number
 * @param version of the endpoint in the store, for the compare-and-set of the batch
 * @param inDirectory whether a client registered the name in the directory itself
 */
public record EndpointSnapshot(
    @Nullable MirroredEndpoint endpoint, long high, long version, boolean inDirectory) {
  /**
   * H for a registration. The registration of a pending key did not advance H, but its number
   * counts: it must not be accepted twice.
   */
  public long registrationHigh() {
    Lease lease = endpoint == null ? null : endpoint.lease();
    return Math.max(high, lease == null ? 0 : lease.seq());
  }
}
