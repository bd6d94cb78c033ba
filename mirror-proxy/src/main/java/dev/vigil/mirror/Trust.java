package dev.vigil.mirror;

import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** What operators decide about keys. */
final class Trust {
  private final Memory memory;
  private final Landing landing;
  private final Ledger ledger;
  private final Clock clock;

  Trust(Memory memory, Landing landing, Ledger ledger, Clock clock) {
    this.memory = memory;
    this.landing = landing;
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * @param jkt the key that was looked at; what asks by now may be another
   */
  CompletableFuture<Mirrored> approve(String id, String jkt, String actor) {
    return landing.land(() -> approval(present(id), jkt, actor)).thenApply(change -> present(id));
  }

  private Batch approval(Mirrored known, String jkt, String actor) {
    HeldKey held = known.held();
    KeyRing ring = known.ring();
    Lease lease = known.lease();
    if (ring == null || lease == null) {
      throw new Rejection(Reason.NO_ENTRY, "no such endpoint");
    }
    requireWaiting(known, jkt);
    requireUnrevoked(jkt);
    if (held != null) {
      return heldApproval(known, held, ring, lease, actor);
    }
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(Slots.KEY, 1, ring.in(TrustState.TRUSTED).body()));
    facts.add(new Fact(Slots.LIFE, 1, Lease.prolongation(seconds() + lease.lifetime())));
    facts.add(Ledger.publication(lease, ring.jkt()));
    facts.add(ledger.audit("approved", ring.jkt(), actor));
    return ledger.decision(known, above(known, lease.seq()), facts);
  }

  /** The held key where there is one, else the pending key of the endpoint itself. */
  private static void requireWaiting(Mirrored known, String jkt) {
    HeldKey held = known.held();
    KeyRing ring = known.ring();
    String waiting =
        held != null
            ? held.key().thumbprint()
            : ring != null && ring.state() == TrustState.PENDING ? ring.jkt() : "";
    if (!waiting.equals(jkt)) {
      throw new Rejection(
          Reason.NUMBER_USED,
          waiting.isEmpty() ? "nothing waits for approval" : "another key waits: " + waiting);
    }
  }

  private Batch heldApproval(
      Mirrored known, HeldKey held, KeyRing ring, Lease lease, String actor) {
    KeyRing next = ring.replacedBy(held.key(), TrustState.TRUSTED);
    Lease taken = held.lease().knownAs(lease.aliases()).until(seconds() + held.lease().lifetime());
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(Slots.LEASE, 1, taken.body(null)));
    facts.add(new Fact(Slots.KEY, 1, next.body()));
    facts.add(Fact.none(Slots.HELD));
    facts.add(Fact.none(Slots.AIR));
    facts.add(Ledger.publication(taken, next.jkt()));
    facts.add(ledger.audit("approved in place of " + ring.jkt(), next.jkt(), actor));
    return ledger.decision(known, above(known, held.lease().seq()), facts);
  }

  /** What was held moved no number; it does now, unless others have gone past it. */
  private static OptionalLong above(Mirrored known, long seq) {
    return seq > known.high() ? OptionalLong.of(seq) : OptionalLong.empty();
  }

  private void requireUnrevoked(String jkt) {
    if (memory.isRevoked(jkt)) {
      throw new Rejection(Reason.NOT_TRUSTED, "the key is revoked");
    }
  }

  /** Drops the held key; else forgets the pending endpoint, so that the name is free. */
  CompletableFuture<Void> refuse(String id, String jkt, String actor) {
    return landing
        .land(
            () -> {
              Mirrored known = present(id);
              requireWaiting(known, jkt);
              Fact audit = ledger.audit("refused", jkt, actor);
              return known.held() == null
                  ? ledger.forget(known, List.of(audit))
                  : ledger.decision(
                      known, OptionalLong.empty(), List.of(Fact.none(Slots.HELD), audit));
            })
        .thenAccept(change -> {});
  }

  CompletableFuture<Void> revoke(String jkt, String actor) {
    requireThumbprint(jkt);
    List<Fact> facts =
        List.of(new Fact(Slots.REVOKED + jkt, 1, note(actor)), ledger.audit("revoked", jkt, actor));
    return landing.land(() -> apart("", facts)).thenCompose(change -> unpublish(jkt, actor));
  }

  /** Takes a revoked key's endpoint out of the directory. */
  CompletableFuture<Void> unpublish(String jkt, String actor) {
    Mirrored owner = memory.byKey(jkt);
    if (owner == null || owner.ring() == null || !owner.ring().jkt().equals(jkt)) {
      return CompletableFuture.completedFuture(null);
    }
    return landing
        .land(
            () -> {
              Mirrored known = present(owner.id());
              KeyRing ring = known.ring();
              if (ring == null || !ring.jkt().equals(jkt)) {
                throw new Rejection(Reason.NO_ENTRY, "the key was replaced meanwhile");
              }
              return ledger.decision(
                  known,
                  OptionalLong.empty(),
                  List.of(
                      new Fact(Slots.KEY, 1, ring.in(TrustState.REVOKED).body()),
                      Fact.none(Registration.SLOT),
                      ledger.audit("revoked", jkt, actor)));
            })
        .thenAccept(change -> {});
  }

  /** All of them or none, in one batch. */
  CompletableFuture<Void> list(Domain domain, List<ListedKey> keys, String actor) {
    String at = clock.instant().toString();
    List<Fact> facts = new ArrayList<>();
    keys.forEach(key -> facts.add(new Fact(Slots.LISTED + key.jkt(), 1, key.body(at, actor))));
    boolean one = keys.size() == 1;
    facts.add(
        ledger.audit(
            one ? "listed" : "listed " + keys.size() + " keys",
            one ? keys.getFirst().jkt() : "",
            actor));
    return landing.land(() -> apart(domain.name(), facts)).thenAccept(change -> {});
  }

  /** Takes a key off the list again; what it registered before stays. */
  CompletableFuture<Void> unlist(Domain domain, String jkt, String actor) {
    return landing
        .land(
            () -> {
              if (!memory.listed(domain.name()).containsKey(jkt)) {
                throw new Rejection(Reason.NO_ENTRY, "the domain lists no such key");
              }
              return apart(
                  domain.name(),
                  List.of(
                      Fact.none(Slots.LISTED + jkt), ledger.audit("no longer listed", jkt, actor)));
            })
        .thenAccept(change -> {});
  }

  /** What was decided about neither an endpoint nor a key. */
  CompletableFuture<Void> note(String what, String actor) {
    return landing
        .land(() -> apart("", List.of(ledger.audit(what, "", actor))))
        .thenAccept(change -> {});
  }

  private Batch apart(String domain, List<Fact> facts) {
    return new Batch(
        new EndpointName(Slots.TRUST, domain),
        clock.instant(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        facts);
  }

  private byte[] note(String actor) {
    return new JsonText()
        .open('{')
        .member("at", clock.instant().toString())
        .member("by", actor)
        .close('}')
        .toOctets();
  }

  private static void requireThumbprint(String jkt) {
    if (!ListedKey.isThumbprint(jkt)) {
      throw Rejection.malformed("not a thumbprint");
    }
  }

  private Mirrored present(String id) {
    Mirrored known = memory.byId(id);
    if (known == null) {
      throw new Rejection(Reason.NO_ENTRY, "no such endpoint");
    }
    return known;
  }

  private long seconds() {
    return clock.instant().getEpochSecond();
  }
}
