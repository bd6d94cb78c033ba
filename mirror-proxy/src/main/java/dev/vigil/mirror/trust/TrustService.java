package dev.vigil.mirror.trust;

import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.KeyHistory;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.ListedKey;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.BatchFactory;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Batch;
import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Commits operators' decisions about keys. */
public final class TrustService {
  private final MirrorContext context;
  private final BatchFactory batches;

  public TrustService(MirrorContext context) {
    this.context = context;
    this.batches = context.batches();
  }

  /**
   * Approves the held key of an endpoint if there is one, else the endpoint's own pending key.
   *
   * @param jkt the key that the operator saw; refused with 4.09 if another one is pending now
   */
  public CompletableFuture<MirroredEndpoint> approve(String id, String jkt, String actor) {
    return context
        .commits()
        .commit(() -> approval(context.require(id), jkt, actor))
        .thenApply(change -> context.require(id));
  }

  private Batch approval(MirroredEndpoint endpoint, String jkt, String actor) {
    HeldKey held = endpoint.held();
    KeyHistory keys = endpoint.keys();
    Lease lease = endpoint.lease();
    if (keys == null || lease == null) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such endpoint");
    }
    requirePending(endpoint, jkt);
    requireUnrevoked(jkt);
    if (held != null) {
      return heldApproval(endpoint, held, keys, lease, actor);
    }
    long expires = context.now() + lease.lifetime();
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(StoreSlots.KEY, 1, keys.withState(TrustState.TRUSTED).body()));
    facts.add(new Fact(StoreSlots.LIFE, 1, Lease.prolongation(expires)));
    facts.add(BatchFactory.publication(lease, keys.jkt()));
    facts.add(batches.audit("approved", keys.jkt(), actor));
    return batches.decision(endpoint, advance(endpoint, lease.seq()), facts);
  }

  private static void requirePending(MirroredEndpoint endpoint, String jkt) {
    HeldKey held = endpoint.held();
    KeyHistory keys = endpoint.keys();
    String pending =
        held != null
            ? held.key().thumbprint()
            : keys != null && keys.state() == TrustState.PENDING ? keys.jkt() : "";
    if (!pending.equals(jkt)) {
      throw new RequestRefused(
          Reason.NUMBER_USED,
          pending.isEmpty() ? "no key awaits approval" : "another key awaits approval: " + pending);
    }
  }

  private Batch heldApproval(
      MirroredEndpoint endpoint, HeldKey held, KeyHistory keys, Lease lease, String actor) {
    KeyHistory next = keys.replacedBy(held.key(), TrustState.TRUSTED);
    Lease approved =
        held.lease()
            .withAliases(lease.aliases())
            .withExpiry(context.now() + held.lease().lifetime());
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(StoreSlots.LEASE, 1, approved.body(null)));
    facts.add(new Fact(StoreSlots.KEY, 1, next.body()));
    facts.add(Fact.none(StoreSlots.HELD));
    facts.add(Fact.none(StoreSlots.UPDATE_KEYS));
    facts.add(BatchFactory.publication(approved, next.jkt()));
    facts.add(batches.audit("approved in place of " + keys.jkt(), next.jkt(), actor));
    return batches.decision(endpoint, advance(endpoint, held.lease().seq()), facts);
  }

  /**
   * The registration of a key that awaited approval did not advance H. Its approval does, unless
   * other numbers have passed it.
   */
  private static OptionalLong advance(MirroredEndpoint endpoint, long seq) {
    return seq > endpoint.high() ? OptionalLong.of(seq) : OptionalLong.empty();
  }

  private void requireUnrevoked(String jkt) {
    if (context.state().isRevoked(jkt)) {
      throw new RequestRefused(Reason.NOT_TRUSTED, "the key is revoked");
    }
  }

  /**
   * Drops the held key of an endpoint if there is one; else removes the pending endpoint, so that
   * its name is free again.
   */
  public CompletableFuture<Void> refuse(String id, String jkt, String actor) {
    return context
        .commits()
        .commit(
            () -> {
              MirroredEndpoint endpoint = context.require(id);
              requirePending(endpoint, jkt);
              Fact audit = batches.audit("refused", jkt, actor);
              return endpoint.held() == null
                  ? batches.removal(endpoint, List.of(audit))
                  : batches.decision(
                      endpoint, OptionalLong.empty(), List.of(Fact.none(StoreSlots.HELD), audit));
            })
        .thenAccept(change -> {});
  }

  /** Revokes a key under every name and in every domain. */
  public CompletableFuture<Void> revoke(String jkt, String actor) {
    if (!ListedKey.isThumbprint(jkt)) {
      throw RequestRefused.malformed("not a thumbprint");
    }
    List<Fact> facts =
        List.of(
            new Fact(StoreSlots.REVOKED + jkt, 1, revocation(actor)),
            batches.audit("revoked", jkt, actor));
    return context
        .commits()
        .commit(() -> batches.trust("", facts))
        .thenCompose(change -> unpublish(jkt, actor));
  }

  /**
   * Completes revocations that a crash interrupted: a revocation is two batches, one for the key
   * and one for its endpoint.
   */
  public void completeRevocations() {
    for (String jkt : context.state().revoked()) {
      MirroredEndpoint owner = context.state().byKey(jkt);
      KeyHistory keys = owner == null ? null : owner.keys();
      if (keys != null && keys.jkt().equals(jkt) && keys.state() != TrustState.REVOKED) {
        unpublish(jkt, "mirror");
      }
    }
  }

  /** Removes the endpoint of a revoked key from the directory. */
  private CompletableFuture<Void> unpublish(String jkt, String actor) {
    MirroredEndpoint owner = context.state().byKey(jkt);
    if (owner == null || !owner.hasKey(jkt)) {
      return CompletableFuture.completedFuture(null);
    }
    return context
        .commits()
        .commit(
            () -> {
              MirroredEndpoint endpoint = context.require(owner.id());
              KeyHistory keys = endpoint.keys();
              if (keys == null || !keys.jkt().equals(jkt)) {
                throw new RequestRefused(Reason.NO_ENTRY, "the key was replaced meanwhile");
              }
              return batches.decision(
                  endpoint,
                  OptionalLong.empty(),
                  List.of(
                      new Fact(StoreSlots.KEY, 1, keys.withState(TrustState.REVOKED).body()),
                      Fact.none(Registration.SLOT),
                      batches.audit("revoked", jkt, actor)));
            })
        .thenAccept(change -> {});
  }

  /** Imports keys into a domain's list, all in one batch. */
  public CompletableFuture<Void> list(Domain domain, List<ListedKey> keys, String actor) {
    String at = context.clock().instant().toString();
    List<Fact> facts = new ArrayList<>();
    keys.forEach(key -> facts.add(new Fact(StoreSlots.LISTED + key.jkt(), 1, key.body(at, actor))));
    facts.add(
        keys.size() == 1
            ? batches.audit("listed", keys.getFirst().jkt(), actor)
            : batches.audit("listed " + keys.size() + " keys", "", actor));
    return context
        .commits()
        .commit(() -> batches.trust(domain.name(), facts))
        .thenAccept(change -> {});
  }

  /** Removes a key from a domain's list. Endpoints that registered with it stay trusted. */
  public CompletableFuture<Void> unlist(Domain domain, String jkt, String actor) {
    return context
        .commits()
        .commit(
            () -> {
              if (!context.state().listed(domain.name()).containsKey(jkt)) {
                throw new RequestRefused(Reason.NO_ENTRY, "the domain lists no such key");
              }
              return batches.trust(
                  domain.name(),
                  List.of(
                      Fact.none(StoreSlots.LISTED + jkt),
                      batches.audit("no longer listed", jkt, actor)));
            })
        .thenAccept(change -> {});
  }

  /** Records an action of an operator that concerns neither an endpoint nor a key. */
  public CompletableFuture<Void> recordAction(String action, String actor) {
    return context
        .commits()
        .commit(() -> batches.trust("", List.of(batches.audit(action, "", actor))))
        .thenAccept(change -> {});
  }

  private byte[] revocation(String actor) {
    return new JsonWriter()
        .open('{')
        .member("at", context.clock().instant().toString())
        .member("by", actor)
        .close('}')
        .toOctets();
  }
}
