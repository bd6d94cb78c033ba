package dev.vigil.mirror;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * An administrative domain: the sector {@code d} of its endpoints. The one with the empty name is
 * for endpoints that name none.
 *
 * @param listed thumbprints that a LISTED domain trusts, besides those imported while running
 * @param commanders public keys, as JWK texts, whose commands are taken
 * @param rotateAtOnce whether a rotation signed by the old key takes effect at once; else it is
 *     held
 * @param confidential whether updates must come encrypted
 * @param window how far above the highest number an update may be, 1 to 32768
 * @param history values kept of each resource
 * @param maxClockSkew how far ahead of the arrival a measurement's time may be
 * @param maxDelay older measurements are marked as delayed
 * @param defaultWake the wake interval of endpoints that tell none
 * @param serveStale whether overdue values are served
 * @param limits what one endpoint or source may use
 */
public record Domain(
    String name,
    TrustPolicy trust,
    Set<String> listed,
    List<String> commanders,
    boolean rotateAtOnce,
    boolean confidential,
    int window,
    int history,
    Duration maxClockSkew,
    Duration maxDelay,
    Duration defaultWake,
    boolean serveStale,
    Limits limits) {

  /** What a 16-bit number can tell apart. */
  public static final int MAX_WINDOW = 32768;

  public Domain {
    listed = Set.copyOf(listed);
    commanders = List.copyOf(commanders);
    if (window < 1 || window > MAX_WINDOW) {
      throw new IllegalArgumentException("window must be 1 to " + MAX_WINDOW + ": " + window);
    }
    if (history < 1) {
      throw new IllegalArgumentException("history keeps at least the last value");
    }
  }

  /**
   * @param payload octets of an update at most
   * @param endpoints names remembered in the domain, expired ones included
   * @param unproven plain registrations waiting for proof, in the domain
   * @param unprovenPerSource of those, from one source address
   * @param resources links of one endpoint
   * @param updatesPerMinute accepted from one endpoint
   * @param namesPerMinute new ones from one source
   * @param failuresPerMinute from one source, before it must prove its address
   * @param commands waiting for one endpoint
   * @param registrationsPerMinute accepted from one endpoint, renewals included
   * @param updatesPerMinutePerSource accepted from one source, whatever its endpoints; 0: any
   *     number, since many may share the address of a router
   * @param historyAge how long values are kept that newer ones followed, to the second; zero: as
   *     long as {@link Domain#history} leaves room
   * @param historyOctets what the values kept of one resource take together at most, the newest
   *     aside; 0: any amount
   */
  public record Limits(
      int payload,
      int endpoints,
      int unproven,
      int unprovenPerSource,
      int resources,
      int updatesPerMinute,
      int namesPerMinute,
      int failuresPerMinute,
      int commands,
      int registrationsPerMinute,
      int updatesPerMinutePerSource,
      Duration historyAge,
      long historyOctets) {
    public static final Limits DEFAULT =
        new Limits(8192, 1_000_000, 1000, 16, 64, 600, 120, 30, 16, 60, 0, Duration.ZERO, 0);

    /** The same with other limits of what is kept. */
    public Limits keeping(Duration newHistoryAge, long newHistoryOctets) {
      return new Limits(
          payload,
          endpoints,
          unproven,
          unprovenPerSource,
          resources,
          updatesPerMinute,
          namesPerMinute,
          failuresPerMinute,
          commands,
          registrationsPerMinute,
          updatesPerMinutePerSource,
          newHistoryAge,
          newHistoryOctets);
    }

    boolean boundsHistory() {
      return historyAge.isPositive() || historyOctets > 0;
    }
  }

  /** The defaults of the protocol. */
  public static Domain of(String name, TrustPolicy trust) {
    return new Domain(
        name,
        trust,
        Set.of(),
        List.of(),
        true,
        false,
        4096,
        100,
        Duration.ofMinutes(5),
        Duration.ofMinutes(10),
        Duration.ofMinutes(5),
        true,
        Limits.DEFAULT);
  }
}
