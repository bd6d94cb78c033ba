package dev.vigil.directory;

import dev.vigil.directory.link.LinkFormat;
import java.time.Duration;

/**
 * @param mirrorBase scheme and authority that lookups show for mirrored endpoints; empty to show
 *     the one under which each client reached us
 * @param grace how long a registration can be renewed after its lifetime
 * @param maxRegistrations held at a time (5.03 beyond)
 * @param links what one registration may hold
 * @param maxResults links that one lookup returns (4.00 beyond, naming {@code page} and {@code
 *     count})
 * @param changesPerSource registrations, updates and removals a second that one source address may
 *     ask for (4.29 beyond), saved up for {@code burstSeconds}
 * @param maxOctets of memory that registrations and their indexes may take, as far as can be
 *     counted; beyond, what is there is renewed, and nothing else taken (5.03)
 * @param largeLookups that look at much and run at a time (5.03 beyond)
 */
public record DirectoryConfig(
    String mirrorBase,
    Duration grace,
    int maxRegistrations,
    LinkFormat.Limits links,
    int maxResults,
    int changesPerSource,
    int burstSeconds,
    long maxOctets,
    int largeLookups) {

  /** A quarter of the heap for registrations. */
  public DirectoryConfig(
      String mirrorBase,
      Duration grace,
      int maxRegistrations,
      LinkFormat.Limits links,
      int maxResults,
      int changesPerSource,
      int burstSeconds) {
    this(
        mirrorBase,
        grace,
        maxRegistrations,
        links,
        maxResults,
        changesPerSource,
        burstSeconds,
        Runtime.getRuntime().maxMemory() / 4,
        2);
  }

  public static DirectoryConfig standard() {
    return new DirectoryConfig(
        "", Duration.ofHours(1), 2_000_000, LinkFormat.Limits.STANDARD, 100_000, 200, 10);
  }
}
