package dev.vigil.directory.registration;

import dev.vigil.coap.link.LinkFormat;

/**
 * Limits on registrations.
 *
 * @param registrations maximum number of stored registrations (5.03 beyond)
 * @param octets estimated memory of all registrations and their indexes; beyond it only unchanged
 *     renewals are accepted (5.03 for others)
 * @param links limits of one registration's links
 * @param changesPerSecond registrations, updates and removals accepted from one source address
 *     (4.29 beyond)
 * @param burstSeconds time over which unused changes accumulate
 */
public record RegistrationLimits(
    int registrations,
    long octets,
    LinkFormat.Limits links,
    int changesPerSecond,
    int burstSeconds) {

  /**
   * Allows registrations an eighth of the heap. Strangers' registrations live long: if they filled
   * a quarter, the garbage collector of a small heap would mark continuously during a flood.
   */
  public static RegistrationLimits standard() {
    return new RegistrationLimits(
        2_000_000, Runtime.getRuntime().maxMemory() / 8, LinkFormat.Limits.STANDARD, 200, 10);
  }

  public RegistrationLimits withRegistrations(int newRegistrations) {
    return new RegistrationLimits(newRegistrations, octets, links, changesPerSecond, burstSeconds);
  }

  public RegistrationLimits withOctets(long newOctets) {
    return new RegistrationLimits(registrations, newOctets, links, changesPerSecond, burstSeconds);
  }

  public RegistrationLimits withRate(int newChangesPerSecond, int newBurstSeconds) {
    return new RegistrationLimits(
        registrations, octets, links, newChangesPerSecond, newBurstSeconds);
  }
}
