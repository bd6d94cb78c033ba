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
 * Challenges that wait for an authenticator's answer, for some minutes and for one answer each.
 * Sources share the places, so that strangers who begin and never answer take none from others.
 */
final class Challenges {
  /** The time that a person has with the browser's dialog. */
  static final Duration MAX_AGE = Duration.ofMinutes(5);

  static final int MAX = 4096;

  /** Places that only people whose password was right may take. */
  private static final int RESERVED = 1024;

  private static final Rate BEGUN = Rate.perMinute(30);
  private static final int OCTETS = 32;
  private static final long RETRY_SECONDS = 30;

  private final SecureRandom random;
  private final Clock clock;
  private final SourceRateLimiter rates;
  private final FairPool<String> places =
      new FairPool<>(new FairPool.Bounds(MAX, 0, MAX - RESERVED), this::displaced);

  /** By their texts, in the order in which they end. Guarded by this object's lock. */
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  /**
   * A challenge.
   *
   * @param text octets of the challenge in base64url
   * @param host name for which it was made
   */
  record Challenge(String text, Purpose purpose, String host, Instant until) {}

  private record Waiting(Challenge challenge, FairPool<String>.Place place) {}

  Challenges(SecureRandom random, Clock clock) {
    this.random = random;
    this.clock = clock;
    this.rates = new SourceRateLimiter(clock);
  }

  /**
   * Makes a challenge.
   *
   * @return its text
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
          ProblemType.OVERLOADED, "too many passkey sign-ins wait; try again", RETRY_SECONDS);
    }
    Challenge challenge = new Challenge(text, purpose, party.id(), clock.instant().plus(MAX_AGE));
    synchronized (this) {
      waiting.put(text, new Waiting(challenge, place));
    }
    return text;
  }

  /** Takes a challenge away; null when none of that text waits. */
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
