package dev.vigil.mirror;

import org.jspecify.annotations.Nullable;

/**
 * What a request below {@code /ms/{id}} is about.
 *
 * @param id the present one, also where the request named one from before the proof
 * @param known null while unproven
 * @param waiting null once proven
 */
record Target(
    String id,
    Domain domain,
    KeyRing ring,
    Lease lease,
    long high,
    @Nullable Mirrored known,
    Unproven.@Nullable Waiting waiting) {

  Target at(Mirrored now) {
    return new Target(id, domain, ring, lease, now.high(), now, waiting);
  }
}
