package dev.vigil.mirror.state;

import dev.vigil.coap.exchange.Query;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.mirror.confidential.UpdateKeys;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.EndpointSnapshot;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.HeldKeys;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.PolicyDecision;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the batches of facts for decisions about endpoints. A batch also contains the directory's
 * fact, so that registration and publication are committed together.
 */
public final class BatchFactory {
  private static final String MIRROR = "mirror";

  /** Each value takes two facts, and the stores take at most 1024 facts in a batch. */
  private static final int VALUES_REMOVED_AT_ONCE = 400;

  private final SecretSealer sealer;
  private final SecureRandom random;
  private final Clock clock;

  public BatchFactory(SecretSealer sealer, SecureRandom random, Clock clock) {
    this.sealer = sealer;
    this.random = random;
    this.clock = clock;
  }

  /** The batch of an accepted registration, renewal, withdrawal or rotation. */
  public Batch registration(
      RegistrationRequest request, EndpointSnapshot snapshot, PolicyDecision.Accept accept) {
    Lease lease = request.lease().withAliases(aliases(snapshot.endpoint()));
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(StoreSlots.LEASE, 1, lease.body(request.text())));
    addTrust(facts, request, accept);
    addPublication(facts, request, snapshot, lease, accept.keys());
    if (request.epk() != null) {
      facts.add(updateKeys(request, request.epk(), snapshot.endpoint()));
    }
    if (snapshot.endpoint() != null && accept.audit() != null) {
      addSettlement(facts, request, snapshot.endpoint(), accept.keys().state());
    }
    boolean advances = request.seq() > 0 && accept.keys().state() == TrustState.TRUSTED;
    return batch(
        request, advances ? OptionalLong.of(request.seq()) : OptionalLong.empty(), snapshot, facts);
  }

  /**
   * The batch of a held key. It changes nothing else and does not advance H. Only the first waiting
   * key of a name raises an alarm, because strangers must not fill the audit trail.
   *
   * @param after the waiting keys, including the new one
   */
  public Batch heldKey(
      RegistrationRequest request, EndpointSnapshot snapshot, HeldKey held, HeldKeys after) {
    List<Fact> facts = new ArrayList<>(List.of(after.fact()));
    if (snapshot.endpoint() == null || snapshot.endpoint().held().keys().isEmpty()) {
      facts.add(audit("alarm: " + held.why(), request.jkt(), MIRROR));
    }
    return batch(request, OptionalLong.empty(), snapshot, facts);
  }

  /**
   * The batch of a plain registration whose key was proven by a first update.
   *
   * @param seq the number of the update
   * @param value the value of the update; kept only if the key is trusted
   */
  public Batch proof(
      UnprovenRegistration unproven,
      EndpointSnapshot snapshot,
      PolicyDecision.Accept accept,
      long seq,
      Fact value) {
    RegistrationRequest request = unproven.request();
    Lease lease =
        request
            .lease()
            .withAliases(List.of(unproven.id()))
            .withExpiry(now() + request.lease().lifetime());
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(StoreSlots.LEASE, 1, lease.body(null)));
    addTrust(facts, request, accept);
    addPublication(facts, request, snapshot, lease, accept.keys());
    boolean trusted = accept.keys().state() == TrustState.TRUSTED;
    if (trusted) {
      facts.add(value);
    }
    return batch(request, trusted ? OptionalLong.of(seq) : OptionalLong.empty(), snapshot, facts);
  }

  /**
   * An operator's decision for a key ends the wait of all keys; otherwise a key ends only its own
   * wait.
   */
  private void addSettlement(
      List<Fact> facts, RegistrationRequest request, MirroredEndpoint endpoint, TrustState trust) {
    boolean decided = trust == TrustState.TRUSTED && request.rotation() == null;
    if (decided) {
      facts.addAll(cancelledCommands(endpoint, request.jkt()));
    }
    if (!endpoint.held().isEmpty()) {
      facts.add((decided ? HeldKeys.NONE : endpoint.held().without(request.jkt())).fact());
    }
    if (decided && request.epk() == null && endpoint.sealedKeys() != null) {
      facts.add(Fact.none(StoreSlots.UPDATE_KEYS));
    }
  }

  private void addTrust(
      List<Fact> facts, RegistrationRequest request, PolicyDecision.Accept accept) {
    if (accept.audit() != null) {
      facts.add(new Fact(StoreSlots.KEY, 1, accept.keys().body()));
      facts.add(audit(accept.audit(), request.jkt(), MIRROR));
    }
  }

  /** A key that waits does not change the directory's own registration of the name. */
  private void addPublication(
      List<Fact> facts,
      RegistrationRequest request,
      EndpointSnapshot snapshot,
      Lease lease,
      KeyHistory keys) {
    if (keys.state() == TrustState.TRUSTED && !request.withdraws()) {
      facts.add(publication(lease, keys.jkt()));
    } else if (snapshot.endpoint() != null && snapshot.endpoint().isPublished(now())) {
      // It withdraws, or its key was revoked a moment ago and the endpoint is still published.
      facts.add(Fact.none(Registration.SLOT));
    }
  }

  private static List<String> aliases(@Nullable MirroredEndpoint endpoint) {
    Lease lease = endpoint == null ? null : endpoint.lease();
    return lease == null ? List.of() : lease.aliases();
  }

  /**
   * The facts that cancel the pending commands of an endpoint's former device (docs/protocol.md
   * section 8). A device that gets the name has no record of the commands that the former one
   * carried out, and a restored mirror may list those again.
   *
   * @param jkt the thumbprint of the key that gets the name
   */
  public List<Fact> cancelledCommands(MirroredEndpoint endpoint, String jkt) {
    CommandQueue queue = CommandQueue.of(endpoint);
    String pending =
        queue.pending(now()).stream()
            .map(command -> Long.toString(command.seq()))
            .collect(Collectors.joining(", "));
    return pending.isEmpty()
        ? List.of()
        : List.of(
            new Fact(StoreSlots.COMMANDS, 1, queue.withNonePending(now()).body()),
            audit(
                "cancelled, because another device has the name: command " + pending, jkt, MIRROR));
  }

  /**
   * New keys for encrypted updates. Keys that were agreed with the same endpoint key are kept as
   * the former keys.
   */
  private Fact updateKeys(
      RegistrationRequest request, Jwk epk, @Nullable MirroredEndpoint endpoint) {
    UpdateKeys former =
        endpoint == null || endpoint.sealedKeys() == null || !endpoint.hasKey(request.jkt())
            ? null
            : UpdateKeys.read(endpoint.sealedKeys(), sealer, request.name());
    UpdateKeys keys =
        UpdateKeys.agree(
            LocalKeyPair.generate(random), epk, request.lease().digest(), request.jkt(), former);
    return new Fact(StoreSlots.UPDATE_KEYS, 1, keys.body(sealer, request.name()));
  }

  /** The directory's fact for a trusted endpoint. */
  public static Fact publication(Lease lease, String jkt) {
    List<Query.Parameter> parameters =
        lease.type() == null ? List.of() : List.of(new Query.Parameter("et", lease.type()));
    return new Registration(
            new Registration.Published(jkt),
            Math.max(1, lease.lifetime()),
            EndpointLinks.parseStored(lease.links()),
            parameters)
        .toFact();
  }

  /**
   * The facts by which an accepted update extends the registration, once half of its lifetime is
   * over. Endpoints that send updates therefore need not register again.
   */
  public List<Fact> prolongation(MirroredEndpoint endpoint) {
    Lease lease = endpoint.lease();
    KeyHistory keys = endpoint.keys();
    if (lease == null || keys == null || lease.expires() - now() > lease.lifetime() / 2) {
      return List.of();
    }
    long expires = now() + lease.lifetime();
    return List.of(
        new Fact(StoreSlots.LIFE, 1, Lease.prolongation(expires)), publication(lease, keys.jkt()));
  }

  /**
   * An audit record.
   *
   * @param action one line
   * @param jkt the thumbprint of the key concerned; empty if there is none
   * @param actor the operator, {@code mirror} or {@code endpoint}
   */
  public Fact audit(String action, String jkt, String actor) {
    return audit(clock.instant(), action, jkt, actor);
  }

  static Fact audit(Instant now, String action, String jkt, String actor) {
    byte[] body =
        new JsonWriter()
            .open('{')
            .member("at", now.toString())
            .member("what", action)
            .member("jkt", jkt)
            .member("by", actor)
            .close('}')
            .toOctets();
    return new Fact(StoreSlots.AUDIT, Fact.KEEP_ALL, body);
  }

  private Batch batch(
      RegistrationRequest request,
      OptionalLong sequence,
      EndpointSnapshot snapshot,
      List<Fact> facts) {
    return new Batch(
        request.name(), clock.instant(), sequence, OptionalLong.of(snapshot.version()), facts);
  }

  /** The batch of a decision about an endpoint in its present state. */
  public Batch decision(MirroredEndpoint endpoint, OptionalLong sequence, List<Fact> facts) {
    return new Batch(
        endpoint.name(), clock.instant(), sequence, OptionalLong.of(endpoint.version()), facts);
  }

  /**
   * The batch that removes an endpoint with its values and the readings from its block store. The
   * store keeps its id, H and the number of its last command. A mote that is still running accepts
   * only higher numbers, and recorded commands stay used.
   *
   * <p>If the values are too many for one batch, it removes only some of them, and the next removal
   * continues. The last batch clears {@link StoreSlots#KEY}.
   */
  public Batch removal(MirroredEndpoint endpoint, List<Fact> more) {
    List<Fact> values =
        endpoint.values().stream()
            .limit(VALUES_REMOVED_AT_ONCE)
            .flatMap(
                value ->
                    Stream.of(StoreSlots.VALUE, StoreSlots.RECOVERED)
                        .map(slot -> Fact.none(slot + value.path())))
            .toList();
    if (endpoint.values().size() > VALUES_REMOVED_AT_ONCE) {
      return decision(endpoint, OptionalLong.empty(), values);
    }
    List<Fact> facts = new ArrayList<>(more);
    CommandQueue queue = CommandQueue.of(endpoint);
    // Comes before the end of the registration, after which followers expect nothing of the
    // endpoint.
    facts.add(
        queue.last() == 0
            ? Fact.none(StoreSlots.COMMANDS)
            : new Fact(StoreSlots.COMMANDS, 1, queue.withoutCommands().body()));
    List.of(
            StoreSlots.LEASE,
            StoreSlots.LIFE,
            StoreSlots.KEY,
            StoreSlots.HELD,
            StoreSlots.UPDATE_KEYS,
            StoreSlots.RECOVERY)
        .forEach(slot -> facts.add(Fact.none(slot)));
    if (endpoint.isPublished(now())) {
      facts.add(Fact.none(Registration.SLOT));
    }
    facts.addAll(values);
    return decision(endpoint, OptionalLong.empty(), facts);
  }

  /**
   * The batch that rejects a waiting key, or withdraws its approval in advance. If the endpoint's
   * own key leaves, the oldest other waiting key takes its place. Without one, a revoked key that
   * had the name before has it again, so that its values stay and the next key waits too. If there
   * is none either, the endpoint is removed.
   *
   * @return null if the key is not waiting
   */
  public @Nullable Batch departure(MirroredEndpoint endpoint, String jkt, List<Fact> more) {
    HeldKeys held = endpoint.held();
    KeyHistory keys = endpoint.keys();
    List<Fact> facts = new ArrayList<>(more);
    if (held.find(jkt) != null || held.isApproved(jkt)) {
      facts.add(held.without(jkt).fact());
      return decision(endpoint, OptionalLong.empty(), facts);
    }
    if (keys == null || keys.state() != TrustState.PENDING || !keys.jkt().equals(jkt)) {
      return null;
    }
    if (held.keys().isEmpty()) {
      KeyHistory former = keys.withoutWaiting();
      return former == null ? removal(endpoint, more) : restoration(endpoint, former, facts);
    }
    HeldKey next = held.keys().getFirst();
    KeyHistory promoted =
        keys.replacedBy(next.key(), TrustState.PENDING).waiting(next.why(), next.arrival());
    Lease lease = next.lease().withAliases(aliases(endpoint));
    facts.add(new Fact(StoreSlots.LEASE, 1, lease.body(null)));
    facts.add(new Fact(StoreSlots.KEY, 1, promoted.body()));
    facts.add(held.without(next.jkt()).fact());
    facts.add(Fact.none(StoreSlots.UPDATE_KEYS));
    return decision(endpoint, OptionalLong.empty(), facts);
  }

  private Batch restoration(MirroredEndpoint endpoint, KeyHistory former, List<Fact> facts) {
    if (endpoint.lease() != null) {
      facts.add(new Fact(StoreSlots.LEASE, 1, endpoint.lease().ended(now()).body(null)));
    }
    facts.add(new Fact(StoreSlots.KEY, 1, former.body()));
    facts.add(Fact.none(StoreSlots.UPDATE_KEYS));
    return decision(endpoint, OptionalLong.empty(), facts);
  }

  /**
   * The batch that removes everything the mirror knows about an endpoint that was never trusted,
   * including its audit trail. The directory's own registration of the name stays.
   */
  public Batch forgetting(MirroredEndpoint endpoint) {
    List<Fact> facts =
        Stream.of(
                StoreSlots.LEASE,
                StoreSlots.LIFE,
                StoreSlots.KEY,
                StoreSlots.HELD,
                StoreSlots.COMMANDS,
                StoreSlots.UPDATE_KEYS,
                StoreSlots.AUDIT)
            .map(Fact::none)
            .toList();
    return decision(endpoint, OptionalLong.empty(), facts);
  }

  /** A batch of facts that belong to a domain and to no endpoint. */
  public Batch trust(String domain, List<Fact> facts) {
    return new Batch(
        new EndpointName(StoreSlots.TRUST, domain),
        clock.instant(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        facts);
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
