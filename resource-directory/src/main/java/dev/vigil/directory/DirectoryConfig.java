package dev.vigil.directory;

import dev.vigil.directory.lookup.LookupLimits;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.registration.RegistrationLimits;
import java.time.Duration;

/**
 * Settings of a directory.
 *
 * @param published the location at which another service serves published endpoints
 * @param grace how long an expired registration can still be renewed
 */
public record DirectoryConfig(
    PublishedLocation published,
    Duration grace,
    RegistrationLimits registrations,
    LookupLimits lookups) {

  public static DirectoryConfig standard(PublishedLocation published) {
    return new DirectoryConfig(
        published, Duration.ofHours(1), RegistrationLimits.standard(), LookupLimits.STANDARD);
  }

  public DirectoryConfig with(RegistrationLimits limits) {
    return new DirectoryConfig(published, grace, limits, lookups);
  }

  public DirectoryConfig with(LookupLimits limits) {
    return new DirectoryConfig(published, grace, registrations, limits);
  }
}
