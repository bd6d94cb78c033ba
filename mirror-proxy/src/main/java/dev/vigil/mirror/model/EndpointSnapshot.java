package dev.vigil.mirror.model;

import dev.vigil.mirror.model.keys.KeyHistory;
import org.jspecify.annotations.Nullable;

/**
 * The state of an endpoint name on which the decision about a registration is based.
 *
 * @param endpoint null if the mirror has no endpoint of that name
 * @param high H, the highest accepted sequence number
 * @param version of the endpoint in the store, for the compare-and-set of the batch
 * @param directoryEntry who registered the name in the directory itself; NONE for the name of an
 *     endpoint that the mirror publishes
 */
public record EndpointSnapshot(
    @Nullable MirroredEndpoint endpoint, long high, long version, DirectoryEntry directoryEntry) {
  /**
   * The number that a registration has to exceed. For a present or former key of the endpoint this
   * is H. The registration of a pending key did not advance H, but its number counts for this key,
   * because it must not be accepted twice. For any other key of a name in use the number is 0: such
   * a key has to wait anyway, and strangers must not learn H.
   */
  public long registrationHigh(RegistrationRequest request) {
    KeyHistory keys = endpoint == null ? null : endpoint.keys();
    Lease lease = endpoint == null ? null : endpoint.lease();
    if (keys != null && request.rotation() == null && !keys.contains(request.jkt())) {
      return 0;
    }
    return lease != null && keys != null && keys.jkt().equals(request.jkt())
        ? Math.max(high, lease.seq())
        : high;
  }
}
