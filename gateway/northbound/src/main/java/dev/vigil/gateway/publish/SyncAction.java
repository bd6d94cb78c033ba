package dev.vigil.gateway.publish;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The next action for one endpoint in a remote directory. Times are Unix seconds. */
sealed interface SyncAction {
  /** Nothing to do until something changes. */
  record Nothing() implements SyncAction {}

  /** Nothing to do until that time. */
  record Wait(long until) implements SyncAction {}

  /** Registers, or replaces a registration that differs (RFC 9176 section 5.3). */
  record Register(DesiredRegistration desired, long lifetime) implements SyncAction {}

  /** Renews the lifetime (RFC 9176 section 5.3.1). */
  record Renew(PublishedRegistration published, long lifetime) implements SyncAction {}

  /** Removes the registration (RFC 9176 section 5.3.2). */
  record Remove(PublishedRegistration published) implements SyncAction {}

  /** Forgets a registration that has expired in the remote directory. */
  record Forget(PublishedRegistration published) implements SyncAction {}

  /**
   * Chooses the action. If the local directory keeps a registration longer, it is renewed after
   * half of its lifetime in the remote directory.
   */
  static SyncAction next(
      Optional<DesiredRegistration> desired, @Nullable PublishedRegistration published, long now) {
    if (desired.isEmpty()) {
      return published == null
          ? new Nothing()
          : published.until() <= now ? new Forget(published) : new Remove(published);
    }
    DesiredRegistration registration = desired.get();
    long lifetime = Math.clamp(registration.expires() - now, 1, 0xffff_ffffL);
    if (published == null
        || published.until() <= now
        || !published.shown().equals(registration.digest())) {
      return new Register(registration, lifetime);
    }
    if (registration.expires() <= published.until() + 1) {
      return new Wait(published.until() + 1);
    }
    long half = published.until() - published.lifetime() / 2;
    return half <= now ? new Renew(published, lifetime) : new Wait(half);
  }
}
