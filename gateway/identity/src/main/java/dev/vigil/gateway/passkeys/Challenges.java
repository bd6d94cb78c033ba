package dev.vigil.gateway.passkeys;

import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.SourceRateLimiter;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Challenges that wait for an authenticator's answer. A challenge is valid for some minutes and for
 * one answer. Sources share the places fairly, so that strangers who never answer take no places
 * from others.
 */
final class Challenges {
  /** The time limit for a person in the browser's dialog. */
  static final Duration MAX_AGE = Duration.ofMinutes(5);

  static final int MAX = 4096;

  /** The number of places that are reserved for people whose password was correct. */
  private static final int RESERVED = 1024;

  private static final Rate BEGUN = Rate.perMinute(30);
  private static final int OCTETS = 32;
  private static final long RETRY_SECONDS = 30;

  private final SecureRandom random;
  private final Clock clock;
  private final SourceRateLimiter rates;
  private final FairPool<String> places =
      new FairPool<>(new FairPool.Bounds(MAX, 0, MAX - RESERVED), this::displaced);

  /** Challenges by text, in the order of expiry. Guarded by this object's lock. */
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  /**
   * A challenge.
   *
   * @param text the challenge's octets in base64url
   * @param host host name for which the challenge was created
   */
  record Challenge(String text, Purpose purpose, String host, Instant until) {}

  private record Waiting(Challenge challenge, FairPool<String>.Place place) {}

  Challenges(SecureRandom random, Clock clock) {
    this.random = random;
    this.clock = clock;
    this.rates = new SourceRateLimiter(clock);
  }

  /**
   * Creates a challenge.
   *
   * @return the text of the challenge
   * @throws ProblemException 4.29 when the source has begun too many, 5.03 when too many wait
   */
  String begin(Purpose purpose, RelyingParty party, Source source) {
    long seconds = rates.tryCharge(source, SourceRateLimiter.ANY_SCOPE, BEGUN);
    if (seconds > 0) {
      throw new ProblemException(
          ProblemType.TOO_MANY_REQUESTS,
          "too many passkey sign-ins from this address have begun; wait, then try again",
          seconds);
    }
    byte[] octets = new byte[OCTETS];
    random.nextBytes(octets);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    forgetEnded();
    FairPool<String>.Place place = places.admit(source, text);
    if (place == null) {
      throw new ProblemException(
          ProblemType.OVERLOADED,
          "too many passkey sign-ins are waiting; try again",
          RETRY_SECONDS);
    }
    Challenge challenge = new Challenge(text, purpose, party.id(), clock.instant().plus(MAX_AGE));
    synchronized (this) {
      waiting.put(text, new Waiting(challenge, place));
    }
    return text;
  }

  /** Removes and returns a challenge; null when no challenge with that text waits. */
  @Nullable Challenge take(String text) {
    Waiting taken;
    synchronized (this) {
      taken = waiting.remove(text);
    }
    if (taken == null) {
      return null;
    }
    taken.place.release();
    return clock.instant().isBefore(taken.challenge.until) ? taken.challenge : null;
  }

  private synchronized void forgetEnded() {
    Instant now = clock.instant();
    Iterator<Waiting> oldest = waiting.values().iterator();
    while (oldest.hasNext()) {
      Waiting next = oldest.next();
      if (now.isBefore(next.challenge.until)) {
        return;
      }
      oldest.remove();
      next.place.release();
    }
  }

  private synchronized void displaced(String text) {
    waiting.remove(text);
  }

  synchronized int size() {
    return waiting.size();
  }
}
