package dev.vigil.mirror.trust;

import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.BatchFactory;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Commits operators' decisions about keys. */
public final class TrustService {
  private final MirrorContext context;
  private final BatchFactory batches;

  public TrustService(MirrorContext context) {
    this.context = context;
    this.batches = context.batches();
  }

  /**
   * Approves a key by its thumbprint, for an endpoint's name or, without an endpoint, for domains.
   * A key that no longer waits is not an error: it is trusted at its next registration. If it was
   * approved for a name, that registration may replace a trusted key, once. If it was approved for
   * a domain, it gets only a name that no trusted key has.
   *
   * @param id of the endpoint; if null or no longer existing, the approval is for the domains
   * @param domains in which the actor may approve keys; an endpoint of another domain that appeared
   *     since is not approved
   * @return fails with 4.00 if {@code jkt} is not a thumbprint, 4.03 if the key is revoked, 4.04 if
   *     the endpoint belongs to none of the domains or was removed meanwhile
   */
  public CompletableFuture<Void> approve(
      String jkt, @Nullable String id, Collection<Domain> domains, String actor) {
    if (!ListedKey.isThumbprint(jkt)) {
      throw RequestRefused.malformed("not a thumbprint");
    }
    requireUnrevoked(jkt);
    MirroredEndpoint endpoint = id == null ? null : context.state().byId(id);
    if (endpoint != null && endpoint.isRegistered()) {
      return context
          .commits()
          .commit(() -> approval(endpoint.id(), jkt, domains, actor))
          .thenAccept(change -> {});
    }
    return CompletableFuture.allOf(
        domains.stream()
            .map(domain -> list(domain, List.of(new ListedKey(jkt, null, null)), actor))
            .toArray(CompletableFuture[]::new));
  }

  private Batch approval(String id, String jkt, Collection<Domain> domains, String actor) {
    MirroredEndpoint endpoint = context.require(id);
    String d = endpoint.name().d();
    if (domains.stream().noneMatch(domain -> domain.name().equals(d))) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such endpoint in these domains");
    }
    KeyHistory keys = endpoint.keys();
    Lease lease = endpoint.lease();
    if (keys == null || lease == null) {
      throw new RequestRefused(
          Reason.NO_ENTRY, "the endpoint was removed in the meantime; try again");
    }
    requireUnrevoked(jkt);
    HeldKey held = endpoint.held().find(jkt);
    if (held != null) {
      return heldApproval(endpoint, held, keys, lease, actor);
    }
    return keys.jkt().equals(jkt)
        ? ownApproval(endpoint, keys, lease, actor)
        : approvalAhead(endpoint, jkt, actor);
  }

  private Batch ownApproval(MirroredEndpoint endpoint, KeyHistory keys, Lease lease, String actor) {
    Fact audit = batches.audit("approved", keys.jkt(), actor);
    if (keys.state() != TrustState.PENDING) {
      return batches.decision(endpoint, OptionalLong.empty(), List.of(audit));
    }
    long expires = context.now() + lease.lifetime();
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(StoreSlots.KEY, 1, keys.withState(TrustState.TRUSTED).body()));
    facts.add(new Fact(StoreSlots.LIFE, 1, Lease.prolongation(expires)));
    facts.add(Fact.none(StoreSlots.HELD));
    facts.add(BatchFactory.publication(lease, keys.jkt()));
    facts.addAll(batches.cancelledCommands(endpoint, keys.jkt()));
    facts.add(audit);
    return batches.decision(endpoint, advance(endpoint, lease.seq()), facts);
  }

  private Batch approvalAhead(MirroredEndpoint endpoint, String jkt, String actor) {
    return batches.decision(
        endpoint,
        OptionalLong.empty(),
        List.of(
            endpoint.held().withApproved(jkt).fact(),
            batches.audit("approved for the next registration", jkt, actor)));
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
    if (!held.isRotationFrom(keys.jkt())) {
      facts.addAll(batches.cancelledCommands(endpoint, next.jkt()));
    }
    facts.add(batches.audit("approved in place of " + keys.jkt(), next.jkt(), actor));
    return batches.decision(endpoint, advance(endpoint, held.lease().seq()), facts);
  }

  /**
   * The registration of a key that awaited approval did not advance H. Its approval advances H,
   * unless H is already higher.
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
   * Rejects a waiting key, or withdraws its approval in advance. See {@link BatchFactory#departure}
   * for who has the name then. If nobody has it, the domain lists the keys that were approved for
   * it in advance.
   *
   * @return fails with 4.04 for an unknown endpoint, 4.09 if the key is not waiting
   */
  public CompletableFuture<Void> refuse(String id, String jkt, String actor) {
    return keepApprovals(context.require(id), jkt, actor)
        .thenCompose(
            kept ->
                context
                    .commits()
                    .commit(
                        () ->
                            refusal(
                                context.require(id), jkt, batches.audit("refused", jkt, actor))))
        .thenAccept(change -> {});
  }

  /**
   * Lists the keys that were approved in advance for the name of an endpoint that a refusal
   * removes. They are listed before the removal, so that a crash in between loses no approval.
   */
  private CompletableFuture<Void> keepApprovals(
      MirroredEndpoint endpoint, String jkt, String actor) {
    KeyHistory keys = endpoint.keys();
    EndpointName name = endpoint.name();
    boolean removed =
        keys != null
            && keys.jkt().equals(jkt)
            && keys.state() == TrustState.PENDING
            && keys.previous().isEmpty()
            && endpoint.held().keys().isEmpty();
    List<ListedKey> approved =
        endpoint.held().approved().stream()
            .filter(each -> !isListed(each, name))
            .map(each -> new ListedKey(each, null, name.ep()))
            .toList();
    return removed && !approved.isEmpty()
        ? list(name.d(), approved, actor)
        : CompletableFuture.completedFuture(null);
  }

  private boolean isListed(String jkt, EndpointName name) {
    ListedKey listed = context.state().listed(name.d()).get(jkt);
    return listed != null && listed.mayRegister(name.ep());
  }

  private Batch refusal(MirroredEndpoint endpoint, String jkt, Fact audit) {
    Batch departure = batches.departure(endpoint, jkt, List.of(audit));
    if (departure == null) {
      throw new RequestRefused(Reason.NUMBER_USED, "the key does not wait for a decision");
    }
    return departure;
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
   * Completes revocations that a crash interrupted: a revocation is a batch for the key, and one
   * for each endpoint that has it.
   */
  public void completeRevocations() {
    context.state().revoked().forEach(jkt -> unpublish(jkt, "mirror"));
  }

  /** Removes the endpoints that have a revoked key from the directory. */
  private CompletableFuture<Void> unpublish(String jkt, String actor) {
    return CompletableFuture.allOf(
        context.state().withKey(jkt).stream()
            .filter(endpoint -> hasUnrevoked(endpoint, jkt))
            .map(endpoint -> unpublish(endpoint.id(), jkt, actor))
            .toArray(CompletableFuture[]::new));
  }

  /** Whether an endpoint has a key and does not yet know that it is revoked. */
  private static boolean hasUnrevoked(MirroredEndpoint endpoint, String jkt) {
    KeyHistory keys = endpoint.keys();
    return keys != null && keys.jkt().equals(jkt) && keys.state() != TrustState.REVOKED;
  }

  private CompletableFuture<Void> unpublish(String id, String jkt, String actor) {
    return CompletableFuture.completedFuture(id)
        .thenCompose(known -> context.commits().commit(() -> unpublication(known, jkt, actor)))
        .handle((change, thrown) -> thrown == null ? null : RefusalMapper.refusal(thrown))
        .thenAccept(
            refused -> {
              if (refused != null && refused.reason() != Reason.NO_ENTRY) {
                throw refused;
              }
            });
  }

  private Batch unpublication(String id, String jkt, String actor) {
    MirroredEndpoint endpoint = context.require(id);
    KeyHistory keys = endpoint.keys();
    if (keys == null || !hasUnrevoked(endpoint, jkt)) {
      throw new RequestRefused(Reason.NO_ENTRY, "the key was replaced in the meantime");
    }
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(StoreSlots.KEY, 1, keys.withState(TrustState.REVOKED).body()));
    if (endpoint.isPublished(context.now())) {
      facts.add(Fact.none(Registration.SLOT));
    }
    facts.add(batches.audit("revoked", jkt, actor));
    return batches.decision(endpoint, OptionalLong.empty(), facts);
  }

  /**
   * Removes an endpoint with its values, keys and commands.
   *
   * @return fails with 4.04 for an unknown endpoint
   */
  public CompletableFuture<Void> forget(String id, String actor) {
    return context
        .commits()
        .commit(
            () -> {
              MirroredEndpoint endpoint = context.require(id);
              KeyHistory keys = endpoint.keys();
              if (keys == null) {
                throw new RequestRefused(Reason.NO_ENTRY, "the endpoint has already been removed");
              }
              return batches.removal(
                  endpoint, List.of(batches.audit("forgot the endpoint", keys.jkt(), actor)));
            })
        .thenCompose(
            change ->
                change.isAbout(StoreSlots.KEY)
                    ? CompletableFuture.completedFuture(null)
                    : forget(id, actor));
  }

  /** Imports keys into a domain's list, all in one batch. */
  public CompletableFuture<Void> list(Domain domain, List<ListedKey> keys, String actor) {
    return list(domain.name(), keys, actor);
  }

  private CompletableFuture<Void> list(String domain, List<ListedKey> keys, String actor) {
    String at = context.clock().instant().toString();
    List<Fact> facts = new ArrayList<>();
    keys.forEach(key -> facts.add(new Fact(StoreSlots.LISTED + key.jkt(), 1, key.body(at, actor))));
    facts.add(
        keys.size() == 1
            ? batches.audit("listed", keys.getFirst().jkt(), actor)
            : batches.audit("listed " + keys.size() + " keys", "", actor));
    return context.commits().commit(() -> batches.trust(domain, facts)).thenAccept(change -> {});
  }

  /** Removes a key from a domain's list. Endpoints that already registered with it stay trusted. */
  public CompletableFuture<Void> unlist(Domain domain, String jkt, String actor) {
    return context
        .commits()
        .commit(
            () -> {
              if (!context.state().listed(domain.name()).containsKey(jkt)) {
                throw new RequestRefused(Reason.NO_ENTRY, "the domain does not list this key");
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
