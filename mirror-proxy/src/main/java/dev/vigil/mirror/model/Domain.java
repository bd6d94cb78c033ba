package dev.vigil.mirror.model;

import dev.vigil.mirror.model.keys.TrustPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of an administrative domain, the sector {@code d} of RFC 9176. The domain with the
 * empty name holds the endpoints that name no domain.
 *
 * @param listed thumbprints that a LISTED domain trusts in addition to those imported at run time
 * @param commanders public keys, as JWK texts, of the clients that may sign commands
 * @param rotateAtOnce whether a rotation signed by the old key takes effect at once; if not, it
 *     awaits an operator's decision
 * @param confidential whether updates must be encrypted
 * @param window how far above H the number of an update may be, 1 to 32768 (docs/protocol.md
 *     section 5)
 * @param history number of values kept for each resource; 0: the newest {@link #NEWEST}, and older
 *     ones by age
 * @param maxClockSkew how far after its arrival a measurement may be dated
 * @param maxDelay measurements older than this at arrival are marked as delayed
 * @param defaultWake the wake interval of endpoints that did not register one
 * @param serveStale whether values whose next update is overdue are served
 * @param limits limits of single endpoints and sources
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

  /** Half of the space of 16-bit numbers. */
  public static final int MAX_WINDOW = 32768;

  /** Number of newest values that a resource keeps in any case if no number is set. */
  public static final int NEWEST = 100;

  public Domain {
    listed = Set.copyOf(listed);
    commanders = List.copyOf(commanders);
    if (window < 1 || window > MAX_WINDOW) {
      throw new IllegalArgumentException("window must be 1 to " + MAX_WINDOW + ": " + window);
    }
    if (history < 0) {
      throw new IllegalArgumentException("history must not be negative: " + history);
    }
  }

  /** Number of newest values of a resource that the feed keeps. */
  public int newestValues() {
    return history == 0 ? NEWEST : history;
  }

  /** Whether values beyond {@link #newestValues} stay in the history, by age. */
  public boolean keepsOlderValues() {
    return history == 0 && limits.historyOctets == 0;
  }

  /**
   * @param payload maximum octets of an update
   * @param endpoints maximum names in the domain, including expired ones
   * @param unproven maximum plain registrations in the domain that await proof
   * @param unprovenPerSource the same from one source address
   * @param resources maximum links of one endpoint
   * @param updatesPerMinute accepted updates of one endpoint
   * @param namesPerMinute new names from one source
   * @param failuresPerMinute failed signature checks from one source before it must prove its
   *     address
   * @param commands maximum pending commands of one endpoint
   * @param registrationsPerMinute accepted registrations of one key, renewals included
   * @param updatesPerMinutePerSource accepted updates from one source over all its endpoints; 0 for
   *     no limit, because many endpoints may share the address of a router
   * @param historyAge maximum age of values other than the newest, to the second; zero for no limit
   *     of the domain
   * @param historyOctets maximum total octets of one resource's values other than the newest; 0 for
   *     no limit
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

    public Limits withHistory(Duration newHistoryAge, long newHistoryOctets) {
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

    public boolean boundsHistory() {
      return historyAge.isPositive() || historyOctets > 0;
    }
  }

  public Domain withLimits(Limits newLimits) {
    return new Domain(
        name,
        trust,
        listed,
        commanders,
        rotateAtOnce,
        confidential,
        window,
        history,
        maxClockSkew,
        maxDelay,
        defaultWake,
        serveStale,
        newLimits);
  }

  /** A domain with the defaults of docs/protocol.md. */
  public static Domain of(String name, TrustPolicy trust) {
    return new Domain(
        name,
        trust,
        Set.of(),
        List.of(),
        true,
        false,
        4096,
        0,
        Duration.ofMinutes(5),
        Duration.ofMinutes(10),
        Duration.ofMinutes(5),
        true,
        Limits.DEFAULT);
  }
}
