package dev.vigil.mirror;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.RequestTracer;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.limits.WorkLimiter;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.mirror.command.CommandService;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.mirror.limits.AbuseLimits;
import dev.vigil.mirror.limits.WaitingCapacity;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.read.EndpointViews;
import dev.vigil.mirror.read.Inventory;
import dev.vigil.mirror.read.ValueReader;
import dev.vigil.mirror.read.history.ArchiveReader;
import dev.vigil.mirror.refusal.RefusalCounters;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.registration.ExpiredNames;
import dev.vigil.mirror.registration.NameCapacity;
import dev.vigil.mirror.registration.RegistrationAnswers;
import dev.vigil.mirror.registration.RegistrationPolicy;
import dev.vigil.mirror.registration.RegistrationReader;
import dev.vigil.mirror.registration.RegistrationService;
import dev.vigil.mirror.registration.SnapshotReader;
import dev.vigil.mirror.state.AcceptedCounters;
import dev.vigil.mirror.state.BatchFactory;
import dev.vigil.mirror.state.EndpointSources;
import dev.vigil.mirror.state.HistoryRetention;
import dev.vigil.mirror.state.MirrorCommit;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.NeverTrustedNames;
import dev.vigil.mirror.state.RecoveredReadings;
import dev.vigil.mirror.state.RequestTargets;
import dev.vigil.mirror.state.UnprovenRegistrations;
import dev.vigil.mirror.state.VerificationMeter;
import dev.vigil.mirror.trust.KeyResource;
import dev.vigil.mirror.trust.TrustService;
import dev.vigil.mirror.trust.WaitingKeys;
import dev.vigil.mirror.update.UpdateReader;
import dev.vigil.mirror.update.UpdateService;
import dev.vigil.signed.batch.BatchVerifier;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The mirror of sleepy endpoints: its resources, and the queries and operations for operators.
 *
 * <p>Follows the store's feed from its beginning; the constructor returns after all stored changes
 * are applied.
 */
public final class MirrorProxy implements AutoCloseable {
  private static final List<Link> OWN_LINKS =
      LinkFormat.parse(
          "</ms>;rt=\"core.ms\";ct=\"65100 62\",</keys/mirror>;rt=\"vigil.key\";ct=65101",
          LinkFormat.Limits.NONE);

  /** The {@code id} of {@code /ms/{id}}: changes of one endpoint keep their order of arrival. */
  private static final int ENDPOINT_ID_SEGMENT = 1;

  private final LocalKeyPair identity;
  private final SecretSealer sealer;
  private final CommandService commands;
  private final WaitingKeys waiting;
  private final ExpiredNames expiredNames;
  private final List<Route> routes;
  private final MirrorQueries queries;
  private final MirrorOperations operations;
  private final MirrorRecovery recovery;
  private final Store.Subscription subscription;

  /**
   * The collaborators that the gateway supplies.
   *
   * @param topics notified of changed resources
   * @param access decides on reading, looking up, registering and commanding
   * @param nanoTime monotonic nanoseconds
   * @param tracer traces requests whose signatures are verified together
   */
  public record Dependencies(
      Store store,
      Topics topics,
      Access access,
      Clock clock,
      SecureRandom random,
      BatchVerifier signatures,
      LongSupplier nanoTime,
      RequestTracer tracer) {
    /** Without traces. */
    public Dependencies(
        Store store,
        Topics topics,
        Access access,
        Clock clock,
        SecureRandom random,
        BatchVerifier signatures,
        LongSupplier nanoTime) {
      this(store, topics, access, clock, random, signatures, nanoTime, RequestTracer.NONE);
    }
  }

  public MirrorProxy(Dependencies dependencies, MirrorConfig config) {
    Store store = dependencies.store();
    Clock clock = dependencies.clock();
    Map<String, Domain> domains = config.domains();
    this.identity = config.identity();
    this.sealer = new SecretSealer(identity, dependencies.random());
    MirrorContext context = context(dependencies, config, sealer);
    MirrorState state = context.state();
    HistoryRetention retention = new HistoryRetention(domains, clock);
    RecoveredReadings recovered = new RecoveredReadings(store, domains, clock);
    EndpointViews views = new EndpointViews(state, domains, clock);
    RefusalCounters refusals = new RefusalCounters();
    RefusalMapper refusalMapper = new RefusalMapper(refusals);
    RegistrationService registrations =
        registrations(
            dependencies, context, domains, new RegistrationAnswers(identity, sealer, clock));
    UpdateService updates =
        new UpdateService(context, new UpdateReader(sealer), retention, registrations);
    this.commands = new CommandService(context);
    this.expiredNames = new ExpiredNames(store, state, context.batches(), clock);
    TrustService trust = new TrustService(context);
    this.waiting = new WaitingKeys(context, new NeverTrustedNames(store, state));
    RequestTargets targets =
        new RequestTargets(state, context.unprovenRegistrations(), domains, clock);
    ValueReader values =
        new ValueReader(store, state, retention, views, new WorkLimiter(clock), clock);
    MirrorResource endpoints =
        new MirrorResource(
            targets,
            new CommandAccess(dependencies.access(), context.sources()),
            updates,
            commands,
            values,
            refusalMapper,
            config.own());
    KeyResource keys = new KeyResource(state, domains, identity.jwk(), refusalMapper);
    this.routes =
        List.of(
            Route.of("/ms", new RegistrationResource(registrations, refusalMapper)).withFastPath(),
            Route.of("/ms/*", endpoints).withFastPath().withKeySegment(ENDPOINT_ID_SEGMENT),
            Route.of("/keys/*", keys));
    Inventory inventory =
        new Inventory(state, context.unprovenRegistrations(), domains, views, clock);
    ArchiveReader archive = new ArchiveReader(store, state, retention, keys);
    this.queries =
        new MirrorQueries(store, context, domains, inventory, archive, recovered, refusals);
    this.operations = new MirrorOperations(domains, trust, commands);
    this.recovery = new MirrorRecovery(context, recovered);
    Consumer<Change> fold =
        change -> {
          boolean known = state.byId(change.id()) != null;
          recovered.apply(change);
          apply(change, retention, state);
          if (known && state.byId(change.id()) == null) {
            refusals.forget(change.id());
          }
        };
    this.subscription = retention.countsHistories() ? store.changes(0, fold) : store.present(fold);
    waiting.start();
    trust.completeRevocations();
  }

  private static MirrorContext context(
      Dependencies dependencies, MirrorConfig config, SecretSealer sealer) {
    Clock clock = dependencies.clock();
    return new MirrorContext(
        new MirrorState(dependencies.topics()),
        new UnprovenRegistrations(dependencies.random()),
        new EndpointSources(clock),
        new MirrorCommit(dependencies.store()),
        new BatchFactory(sealer, dependencies.random(), clock),
        new AbuseLimits(clock),
        new WaitingCapacity(config.waitingPlaces()),
        new VerificationMeter(
            dependencies.signatures(), dependencies.nanoTime(), dependencies.tracer()),
        new AcceptedCounters(),
        clock);
  }

  private static RegistrationService registrations(
      Dependencies dependencies,
      MirrorContext context,
      Map<String, Domain> domains,
      RegistrationAnswers answers) {
    Store store = dependencies.store();
    return new RegistrationService(
        context,
        new RegistrationReader(domains, dependencies.access()),
        new RegistrationPolicy(context.state(), context.signatures()),
        new SnapshotReader(store, context),
        new NameCapacity(store, context.state(), context.batches(), context.clock()),
        answers);
  }

  /**
   * The retention comes first, so that it knows a value before the state notifies observers of it.
   */
  private void apply(Change change, HistoryRetention retention, MirrorState state) {
    retention.apply(change);
    state.apply(change);
    waiting.apply(change);
  }

  /** The routes of the mirror, for a {@link dev.vigil.coap.exchange.RequestDispatcher}. */
  public List<Route> routes() {
    return routes;
  }

  /** The mirror's own links for {@code /.well-known/core}; the directory adds its endpoints'. */
  public List<Link> wellKnownLinks() {
    return OWN_LINKS;
  }

  /** The thumbprint of the identity key, to be given to motes. */
  public String identity() {
    return identity.jwk().thumbprint();
  }

  /** The identity key pair, for DTLS handshakes under the same identity. Contains the secret. */
  public KeyPair identityKeys() {
    return identity.keyPair();
  }

  /** Seals secrets for the store; other features use it as well. */
  public SecretSealer sealer() {
    return sealer;
  }

  public MirrorQueries queries() {
    return queries;
  }

  public MirrorOperations operations() {
    return operations;
  }

  public MirrorRecovery recovery() {
    return recovery;
  }

  /** Forgets names that expired and were never trusted; must be called about every second. */
  public void forgetExpiredNames() {
    expiredNames.forget();
  }

  /** Ends commands that have expired; must be called about every second. */
  public void expireCommands() {
    commands.expireCommands();
    waiting.removeDisplaced();
  }

  /** Stops following the feed. The store stays open. */
  @Override
  public void close() {
    subscription.close();
  }
}
