package dev.vigil.gateway.publish;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is to be done next about one endpoint in another directory. Times in unix seconds. */
sealed interface Step {
  /** Nothing, until something changes. */
  record Nothing() implements Step {}

  /** Nothing before that time. */
  record Wait(long until) implements Step {}

  /** Registers, or registers anew what is shown differently (RFC 9176 section 5.3). */
  record Register(Wanted wanted, long lifetime) implements Step {}

  /** Prolongs what is there (section 5.3.1). */
  record Renew(Published published, long lifetime) implements Step {}

  /** Takes it out (section 5.3.2). */
  record Remove(Published published) implements Step {}

  /** The directory has forgotten it by itself. */
  record Forget(Published published) implements Step {}

  /**
   * Decides. What our own directory keeps longer than the other was told is prolonged there when
   * half of the time has passed.
   */
  static Step next(Optional<Wanted> wanted, @Nullable Published published, long now) {
    if (wanted.isEmpty()) {
      return published == null
          ? new Nothing()
          : published.until() <= now ? new Forget(published) : new Remove(published);
    }
    Wanted shown = wanted.get();
    long lifetime = Math.clamp(shown.expires() - now, 1, 0xffff_ffffL);
    if (published == null
        || published.until() <= now
        || !published.shown().equals(shown.digest())) {
      return new Register(shown, lifetime);
    }
    if (shown.expires() <= published.until() + 1) {
      return new Wait(published.until() + 1);
    }
    long half = published.until() - published.lifetime() / 2;
    return half <= now ? new Renew(published, lifetime) : new Wait(half);
  }
}
