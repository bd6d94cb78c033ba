package dev.vigil.mirror;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Store;
import dev.vigil.mirror.confidential.Sealer;
import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The mirror of sleepy endpoints: what it serves, what an operator sees of it and may do to it.
 *
 * <p>Follows the store's feed from the start; the constructor returns when it stands at the
 * present.
 */
public final class MirrorProxy implements AutoCloseable {
  private static final List<Link> OWN_LINKS =
      LinkFormat.parse(
          "</ms>;rt=\"core.ms\";ct=\"65100 62\",</keys/mirror>;rt=\"vigil.key\";ct=65101",
          LinkFormat.Limits.NONE);

  private final Store store;
  private final Map<String, Domain> domains;
  private final OwnKey identity;
  private final Memory memory;
  private final Rejections rejections = new Rejections();
  private final Refusals refusals = new Refusals(rejections);
  private final Views views;
  private final Trust trust;
  private final Commander commander;
  private final Archive archive;
  private final Inventory inventory;
  private final Map<String, Resource> resources;
  private final Store.Subscription subscription;

  /**
   * @param signatures with the provider of choice; its {@code description()} belongs in the log
   * @throws IllegalStateException when the identity key's file is not usable, and the way out
   */
  public MirrorProxy(
      Store store,
      Topics topics,
      Access access,
      MirrorConfig config,
      Clock clock,
      SecureRandom random,
      Signatures signatures) {
    this.store = store;
    this.domains = config.domains();
    this.identity = Identity.load(config.identityKey(), random);
    this.memory = new Memory(topics);
    Unproven unproven = new Unproven(random);
    this.views = new Views(memory, domains, clock);
    Landing landing = new Landing(store);
    Ledger ledger = new Ledger(store, memory, new Sealer(identity, random), random, clock);
    Sources sources = new Sources(clock);
    this.trust = new Trust(memory, landing, ledger, clock);
    this.commander = new Commander(memory, landing, ledger, sources, signatures, clock);
    Registrar registrar =
        new Registrar(
            store,
            memory,
            unproven,
            new ClaimReader(domains, access),
            new Policy(memory, signatures),
            ledger,
            new Answers(identity),
            sources,
            signatures,
            clock);
    Past past = new Past(domains, clock);
    Updater updater =
        new Updater(memory, past, landing, ledger, registrar, unproven, sources, signatures, clock);
    KeyResource keys = new KeyResource(memory, domains, identity.jwk(), refusals);
    this.archive = new Archive(store, memory, past, keys);
    this.inventory = new Inventory(memory, unproven, domains, views, clock);
    ValueReader reader = new ValueReader(store, memory, past, views, clock);
    this.resources =
        Map.of(
            "/ms",
            registration(registrar),
            "/ms/*",
            new MirrorResource(
                memory, unproven, domains, access, updater, commander, reader, refusals, clock),
            "/keys/*",
            keys);
    this.subscription =
        store.changes(
            0,
            change -> {
              past.fold(change);
              memory.fold(change);
            });
    finishRevocations();
  }

  private Resource registration(Registrar registrar) {
    return request ->
        refusals.answering(
            "",
            () -> {
              if (request.method() != Method.POST) {
                throw new Rejection(Reason.NOT_ALLOWED, "POST");
              }
              return registrar.register(request);
            });
  }

  /** A revocation is two batches; one that a crash cut in two is completed here. */
  private void finishRevocations() {
    for (String jkt : memory.revoked()) {
      Mirrored owner = memory.byKey(jkt);
      KeyRing ring = owner == null ? null : owner.ring();
      if (ring != null && ring.jkt().equals(jkt) && ring.state() != TrustState.REVOKED) {
        trust.unpublish(jkt, "mirror");
      }
    }
  }

  /** By path, for {@code Site}: {@code /ms}, {@code /ms/*}, {@code /keys/*}. */
  public Map<String, Resource> resources() {
    return resources;
  }

  /** The mirror's own links for {@code /.well-known/core}; its endpoints' the directory adds. */
  public List<Link> wellKnownLinks() {
    return OWN_LINKS;
  }

  /** The thumbprint of the mirror's identity key, for motes to be told. */
  public String identity() {
    return identity.jwk().thumbprint();
  }

  /** That key, to prove the same identity in handshakes; holds the secret. */
  public KeyPair identityKeys() {
    return identity.keyPair();
  }

  /** All of them, unproven and expired ones included, in the order of their names. */
  public List<EndpointView> endpoints() {
    return endpoints(place -> true, null, Integer.MAX_VALUE);
  }

  /**
   * A page of them.
   *
   * @param wanted which
   * @param after the place of the last one before the page; null: from the first
   */
  public List<EndpointView> endpoints(
      Predicate<EndpointPlace> wanted, @Nullable EndpointPlace after, int limit) {
    return inventory.endpoints(wanted, after, limit);
  }

  public Optional<EndpointView> endpoint(String id) {
    return Optional.ofNullable(inventory.endpoint(id));
  }

  /**
   * A page of the keys of endpoints (present, asking, former), those listed, those revoked.
   *
   * @param wanted which
   * @param after the place of the last one before the page; null: from the first
   */
  public List<KeyView> keys(Predicate<KeyView> wanted, @Nullable KeyPlace after, int limit) {
    return inventory.keys(wanted, after, limit);
  }

  /** The administrative domains, by name. */
  public Map<String, Domain> domains() {
    return domains;
  }

  /** How full a domain is. */
  public DomainUse use(String domain) {
    return inventory.use(domain);
  }

  /** Commands of an endpoint that wait, and the last that ended; oldest first. */
  public List<CommandView> commands(String id) {
    Mirrored known = memory.byId(id);
    CommandQueue queue = known == null ? null : known.commands();
    return queue == null ? List.of() : queue.commands().stream().map(commander::view).toList();
  }

  /**
   * What was decided, oldest first.
   *
   * @param ep only about that name of domain {@code d}; null: all of all domains
   * @param after a position in the feed
   * @param limit changes at the most; one may bring more than one decision
   */
  public List<Decision> audit(@Nullable String ep, String d, long after, int limit) {
    return decisions(store.trail(Slots.AUDIT, name(ep, d), after, limit));
  }

  /**
   * The same, newest first.
   *
   * @param before a position in the feed; {@link Long#MAX_VALUE}: from the newest
   */
  public List<Decision> auditBack(@Nullable String ep, String d, long before, int limit) {
    return decisions(store.trailBack(Slots.AUDIT, name(ep, d), before, limit));
  }

  private static @Nullable EndpointName name(@Nullable String ep, String d) {
    return ep == null || ep.isEmpty() ? null : new EndpointName(ep, d);
  }

  private static List<Decision> decisions(List<Change> changes) {
    return changes.stream().flatMap(change -> Views.decisions(change).stream()).toList();
  }

  /** Puts into the audit trail what an operator did to something else than keys and commands. */
  public CompletableFuture<Void> note(String what, String actor) {
    return Refusals.translated(() -> trust.note(what, actor));
  }

  /** Paths of an endpoint's resources that have values; empty when there is no such endpoint. */
  public List<String> archivedPaths(String id) {
    Mirrored known = memory.byId(id);
    return known == null ? List.of() : archive.paths(known);
  }

  /**
   * What is kept of one resource, by rising sequence number.
   *
   * @param after only readings with a higher sequence number
   * @param limit how many at the most
   */
  public List<ArchivedValue> archived(String id, String path, long after, int limit) {
    Mirrored known = memory.byId(id);
    return known == null ? List.of() : archive.values(known, path, after, limit);
  }

  /** The highest number ever taken for a command of an endpoint; 0 before the first. */
  public long lastCommand(String id) {
    Mirrored known = memory.byId(id);
    CommandQueue queue = known == null ? null : known.commands();
    return queue == null ? 0 : queue.last();
  }

  /**
   * A path as links and views have it, percent-encoded.
   *
   * @param plain its segments, with slashes between
   */
  public static String path(String plain) {
    try {
      return Paths.canonical(List.of(plain.split("/", -1)));
    } catch (Rejection e) {
      throw e.toExchange();
    }
  }

  /** What was refused since the start, by reason and endpoint; bounded in number. */
  public List<RejectionCount> rejections() {
    return rejections.all();
  }

  /** Those of one endpoint. */
  public List<RejectionCount> rejections(String id) {
    return rejections.of(id);
  }

  /** Follows the mirror's changes after a position; see {@link Store#changes}. */
  public Store.Subscription follow(long after, Consumer<MirrorEvent> follower) {
    return store.changes(after, change -> Views.events(change).forEach(follower));
  }

  /** The position of the last change that is folded in: a place to follow from. */
  public long position() {
    return memory.position();
  }

  /**
   * Trusts what waits for an operator: the held key of the endpoint where there is one, else the
   * pending key of the endpoint itself. Fails with {@code ExchangeException} 4.04, or 4.09 when
   * that is not the key that waits.
   *
   * @param jkt the key that was looked at
   * @param actor who decided, for the audit trail
   */
  public CompletableFuture<EndpointView> approve(String id, String jkt, String actor) {
    return Refusals.translated(() -> trust.approve(id, jkt, actor).thenApply(views::endpoint));
  }

  /** Drops what waits for an operator, likewise. */
  public CompletableFuture<Void> refuse(String id, String jkt, String actor) {
    return Refusals.translated(() -> trust.refuse(id, jkt, actor));
  }

  /** Revokes a key under every name and domain, known or not. */
  public CompletableFuture<Void> revoke(String jkt, String actor) {
    return Refusals.translated(() -> trust.revoke(jkt, actor));
  }

  /**
   * Imports keys into a domain's list, all or none; fails with 4.03 when there is no such domain.
   */
  public CompletableFuture<Void> list(String domain, List<ListedKey> keys, String actor) {
    return Refusals.translated(() -> trust.list(known(domain), keys, actor));
  }

  /** Takes a key off a domain's list; fails with 4.04 when it is not there. */
  public CompletableFuture<Void> unlist(String domain, String jkt, String actor) {
    return Refusals.translated(() -> trust.unlist(known(domain), jkt, actor));
  }

  private Domain known(String domain) {
    Domain known = domains.get(domain);
    if (known == null) {
      throw new Rejection(Reason.POLICY, "there is no such domain");
    }
    return known;
  }

  /** Takes a waiting command out of the queue. */
  public CompletableFuture<Void> cancel(String id, long seq, String actor) {
    return Refusals.translated(() -> commander.cancel(id, seq, actor));
  }

  /** Notes commands whose time is over; to be called every second or so. */
  public void pass() {
    commander.pass();
  }

  /** Ends following the feed; the store is closed by whoever opened it. */
  @Override
  public void close() {
    subscription.close();
  }
}
