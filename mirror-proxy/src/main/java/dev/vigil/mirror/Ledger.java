package dev.vigil.mirror;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Store;
import dev.vigil.mirror.confidential.AirKeys;
import dev.vigil.mirror.confidential.Sealer;
import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what was decided: the facts of each batch. The directory's own fact goes into the
 * same batch, so that registration and publication land together.
 */
final class Ledger {
  private final Store store;
  private final Memory memory;
  private final Sealer sealer;
  private final SecureRandom random;
  private final Clock clock;

  Ledger(Store store, Memory memory, Sealer sealer, SecureRandom random, Clock clock) {
    this.store = store;
    this.memory = memory;
    this.sealer = sealer;
    this.random = random;
    this.clock = clock;
  }

  /** A registration, renewal, withdrawal or rotation. */
  Batch registered(Claim claim, Registrar.Standing standing, Verdict.Take take) {
    Lease before = standing.known() == null ? null : standing.known().lease();
    Lease lease = claim.lease().knownAs(before == null ? List.of() : before.aliases());
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(Slots.LEASE, 1, lease.body(claim.text())));
    addTrust(facts, claim, take);
    addPublication(facts, claim, lease, take.ring());
    if (claim.epk() != null) {
      facts.add(agreement(claim, standing.known()));
    }
    boolean counts = claim.seq() > 0 && take.ring().state() == TrustState.TRUSTED;
    return batch(
        claim, counts ? OptionalLong.of(claim.seq()) : OptionalLong.empty(), standing, facts);
  }

  /** Another key asks for a known name: nothing else changes, H least of all. */
  Batch held(Claim claim, Registrar.Standing standing, HeldKey held) {
    List<Fact> facts =
        List.of(
            new Fact(Slots.HELD, 1, held.body()),
            audit("alarm: " + held.why(), claim.jkt(), "mirror"));
    return batch(claim, OptionalLong.empty(), standing, facts);
  }

  /** A plain registration that its first update proved. */
  Batch proven(
      Claim claim,
      Registrar.Standing standing,
      Verdict.Take take,
      String alias,
      long seq,
      @Nullable Fact value) {
    Lease lease = claim.lease().knownAs(List.of(alias)).until(seconds() + claim.lease().lifetime());
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(Slots.LEASE, 1, lease.body(null)));
    addTrust(facts, claim, take);
    addPublication(facts, claim, lease, take.ring());
    boolean trusted = take.ring().state() == TrustState.TRUSTED;
    if (trusted && value != null) {
      facts.add(value);
    }
    return batch(claim, trusted ? OptionalLong.of(seq) : OptionalLong.empty(), standing, facts);
  }

  private void addTrust(List<Fact> facts, Claim claim, Verdict.Take take) {
    if (take.audit() != null) {
      facts.add(new Fact(Slots.KEY, 1, take.ring().body()));
      facts.add(audit(take.audit(), claim.jkt(), "mirror"));
    }
  }

  private static void addPublication(List<Fact> facts, Claim claim, Lease lease, KeyRing ring) {
    if (claim.withdraws()) {
      facts.add(Fact.none(Registration.SLOT));
    } else if (ring.state() == TrustState.TRUSTED) {
      facts.add(publication(lease, ring.jkt()));
    }
  }

  private Fact agreement(Claim claim, @Nullable Mirrored known) {
    if (claim.epk() == null) {
      throw new IllegalArgumentException("there is nothing to agree with");
    }
    byte[] old = known == null ? null : known.air();
    AirKeys before =
        old == null || known == null || !sameKey(claim, known) ? null : open(known.name(), old);
    AirKeys keys =
        AirKeys.agree(
            OwnKey.generate(random), claim.epk(), claim.lease().digest(), claim.jkt(), before);
    return new Fact(Slots.AIR, 1, keys.body(sealer, context(claim.name())));
  }

  private static boolean sameKey(Claim claim, Mirrored known) {
    return known.ring() != null && known.ring().jkt().equals(claim.jkt());
  }

  AirKeys open(EndpointName name, byte[] air) {
    return AirKeys.read(air, sealer, context(name));
  }

  private static String context(EndpointName name) {
    return name.ep() + '\0' + name.d();
  }

  static Fact publication(Lease lease, String jkt) {
    List<Query.Parameter> parameters =
        lease.type() == null ? List.of() : List.of(new Query.Parameter("et", lease.type()));
    return new Registration(
            new Registration.Mirrored(jkt),
            Math.max(1, lease.lifetime()),
            Links.stored(lease.links()),
            parameters)
        .toFact();
  }

  /**
   * What an accepted update adds once half of the lifetime is over, so that nobody re-registers.
   */
  List<Fact> prolongation(Mirrored known) {
    Lease lease = known.lease();
    KeyRing ring = known.ring();
    if (lease == null || ring == null || lease.expires() - seconds() > lease.lifetime() / 2) {
      return List.of();
    }
    long expires = seconds() + lease.lifetime();
    return List.of(
        new Fact(Slots.LIFE, 1, Lease.prolongation(expires)), publication(lease, ring.jkt()));
  }

  Fact audit(String what, String jkt, String by) {
    byte[] body =
        new JsonText()
            .open('{')
            .member("at", clock.instant().toString())
            .member("what", what)
            .member("jkt", jkt)
            .member("by", by)
            .close('}')
            .toOctets();
    return new Fact(Slots.AUDIT, Fact.KEEP_ALL, body);
  }

  private Batch batch(
      Claim claim, OptionalLong sequence, Registrar.Standing standing, List<Fact> facts) {
    return new Batch(
        claim.name(), clock.instant(), sequence, OptionalLong.of(standing.version()), facts);
  }

  /** A decision about an endpoint as it stands now. */
  Batch decision(Mirrored known, OptionalLong sequence, List<Fact> facts) {
    return new Batch(
        known.name(), clock.instant(), sequence, OptionalLong.of(known.version()), facts);
  }

  /** Forgets a name; the store keeps its id and H. */
  Batch forget(Mirrored known, List<Fact> more) {
    List<Fact> facts = new ArrayList<>(more);
    List.of(
            Slots.LEASE,
            Slots.LIFE,
            Slots.KEY,
            Slots.HELD,
            Slots.COMMANDS,
            Slots.AIR,
            Registration.SLOT)
        .forEach(slot -> facts.add(Fact.none(slot)));
    known.values().forEach(value -> facts.add(Fact.none(Slots.VALUE + value.path())));
    return decision(known, OptionalLong.empty(), facts);
  }

  /**
   * Forgets an expired name when the domain remembers as many as it may.
   *
   * @throws Rejection 5.03 when none is expired
   */
  void makeRoom(Domain domain) {
    if (memory.remembered(domain.name()) < domain.limits().endpoints()) {
      return;
    }
    Mirrored expired =
        memory.all().stream()
            .filter(known -> known.name().d().equals(domain.name()) && !known.live(seconds()))
            .findAny()
            .orElseThrow(() -> new Rejection(Reason.OVERLOADED, "the domain is full", 3600));
    store.submit(forget(expired, List.of()));
  }

  private long seconds() {
    return clock.instant().getEpochSecond();
  }
}
