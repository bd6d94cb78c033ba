package dev.vigil.mirror;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.SourceAddress;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.time.Clock;
import java.util.Comparator;

/**
 * What a source address is charged for: signatures that did not hold, new names, updates where the
 * domain bounds them; and what a key is charged for: registrations. Beyond its share it must show
 * that the address is its own before another signature is checked; one that did has to wait.
 */
final class Sources {
  /** A source in one domain: what it does elsewhere, by other rules, is counted there. */
  private record Source(SourceAddress address, String domain) implements Comparable<Source> {
    private static final Comparator<Source> ORDER =
        Comparator.comparing(Source::address).thenComparing(Source::domain);

    /** What those who have not shown their addresses do together: any number is easily invented. */
    private static final SourceAddress STRANGERS = new SourceAddress(0, 0);

    static Source of(Caller caller, Domain domain) {
      return new Source(SourceAddress.of(caller), domain.name());
    }

    static Source shown(Caller caller, Domain domain) {
      return caller.verified() ? of(caller, domain) : new Source(STRANGERS, domain.name());
    }

    /** A hash table then finds one among others that were chosen for their hashes. */
    @Override
    public int compareTo(Source other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * Shares that those have together who have not shown their addresses: some fifty bad signatures a
   * second cost little, and whoever invents a source for each may not take a whole processor.
   */
  private static final int STRANGERS_FAILURES = 100;

  private final Meters<Source> failures;
  private final Meters<Source> names;
  private final Meters<Source> updates;
  private final Meters<String> registrations;

  Sources(Clock clock) {
    failures = new Meters<>(clock);
    names = new Meters<>(clock);
    updates = new Meters<>(clock);
    registrations = new Meters<>(clock);
  }

  /**
   * @throws Rejection 4.01, with which an unverified source gets its Echo challenge; 4.29
   */
  void requireGoodStanding(Caller caller, Domain domain) {
    int share = domain.limits().failuresPerMinute();
    if (!failures.allows(Source.of(caller, domain), share)) {
      if (caller.verified()) {
        throw new Rejection(
            Reason.TOO_FAST,
            "too many signatures of this source did not hold",
            failures.wait(share));
      }
      throw unshown();
    }
    if (!caller.verified() && !failures.allows(Source.shown(caller, domain), ofStrangers(share))) {
      throw unshown();
    }
  }

  private static int ofStrangers(int share) {
    return Math.clamp((long) STRANGERS_FAILURES * share, 0, Integer.MAX_VALUE);
  }

  static Rejection unshown() {
    return new Rejection(Reason.ADDRESS_UNPROVEN, "show that the address is yours (Echo)");
  }

  /**
   * Of accepted updates, whatever the endpoints behind the source.
   *
   * @throws Rejection 4.29
   */
  void requireUpdateShare(Caller caller, Domain domain) {
    int share = domain.limits().updatesPerMinutePerSource();
    if (share > 0 && !updates.allows(Source.of(caller, domain), share)) {
      throw new Rejection(
          Reason.TOO_FAST,
          "at most " + share + " updates a minute from one source",
          updates.wait(share));
    }
  }

  void chargeUpdate(Caller caller, Domain domain) {
    int share = domain.limits().updatesPerMinutePerSource();
    if (share > 0) {
      updates.charge(Source.of(caller, domain), share);
    }
  }

  /**
   * Charges a key that has shown itself: others cannot use up its share.
   *
   * @throws Rejection 4.29
   */
  void chargeRegistration(Claim claim) {
    int share = claim.domain().limits().registrationsPerMinute();
    if (!registrations.allows(claim.jkt(), share)) {
      throw new Rejection(
          Reason.TOO_FAST,
          "at most " + share + " registrations a minute",
          registrations.wait(share));
    }
    registrations.charge(claim.jkt(), share);
  }

  void failed(Caller caller, Domain domain) {
    int share = domain.limits().failuresPerMinute();
    failures.charge(Source.of(caller, domain), share);
    if (!caller.verified()) {
      failures.charge(Source.shown(caller, domain), ofStrangers(share));
    }
  }

  /**
   * @throws Rejection 4.29; 4.01 to an unverified source when such ones together used one's share
   */
  void chargeNewName(Caller caller, Domain domain) {
    int share = domain.limits().namesPerMinute();
    Source source = Source.shown(caller, domain);
    if (!names.allows(source, share)) {
      if (!caller.verified()) {
        throw unshown();
      }
      throw new Rejection(
          Reason.TOO_FAST, "too many new names from this source", names.wait(share));
    }
    names.charge(source, share);
  }
}
