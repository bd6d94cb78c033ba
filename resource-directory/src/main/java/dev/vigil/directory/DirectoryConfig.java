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
 */
public record DirectoryConfig(
    String mirrorBase,
    Duration grace,
    int maxRegistrations,
    LinkFormat.Limits links,
    int maxResults,
    int changesPerSource,
    int burstSeconds) {

  public static DirectoryConfig standard() {
    return new DirectoryConfig(
        "", Duration.ofHours(1), 2_000_000, LinkFormat.Limits.STANDARD, 100_000, 200, 10);
  }
}
