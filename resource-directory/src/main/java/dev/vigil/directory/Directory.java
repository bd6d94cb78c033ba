package dev.vigil.directory;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.catalogue.GatewayBase;
import dev.vigil.directory.lookup.LookupContext;
import dev.vigil.directory.lookup.LookupResource;
import dev.vigil.directory.lookup.ObservedLookups;
import dev.vigil.directory.lookup.RegistrationView;
import dev.vigil.directory.lookup.WellKnownCore;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.directory.registration.DirectoryRegistrationResource;
import dev.vigil.directory.registration.DirectoryRegistrationService;
import dev.vigil.directory.registration.SimpleRegistration;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource directory: a projection of the store's feed, and the resources that read and change
 * it. A separate thread folds the feed up to the present, so that the caller can meanwhile start
 * other services; each method waits for that thread.
 */
public final class Directory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Directory.class);

  private final Topics topics;
  private final Catalogue catalogue;
  private final DirectoryRegistrationService registrations;
  private final ObservedLookups observed;
  private final Clock clock;
  private final OwnAuthorities own;
  private final List<Route> routes;

  /** Whether the past is still being folded; written by the folding thread. */
  private volatile boolean starting = true;

  /** Entries that did not fit at the start; used by the folding thread. */
  private int leftOut;

  /** Completes when the feed is folded up to the present. */
  private final CompletableFuture<Store.Subscription> started;

  public Directory(
      Store store,
      Topics topics,
      Access access,
      DirectoryConfig config,
      Clock clock,
      LinkSources sources) {
    this.topics = topics;
    this.observed = new ObservedLookups(topics);
    this.clock = clock;
    this.own = config.published().own();
    this.catalogue = new Catalogue(config.grace().toMillis(), config.published());
    this.registrations =
        new DirectoryRegistrationService(
            store, catalogue, access, config.registrations(), clock, config.published().own());
    this.routes =
        createRoutes(
            config,
            sources,
            LookupContext.of(catalogue, access, config.lookups(), observed, clock));
    this.started =
        CompletableFuture.supplyAsync(
            () -> start(store),
            task -> Thread.ofPlatform().name("directory-start").daemon().start(task));
  }

  private Store.Subscription start(Store store) {
    Store.Subscription subscription = store.changes(Registration.SLOT, 0, this::fold);
    starting = false;
    if (leftOut > 0) {
      log.warn(
          "the directory is degraded: {} registrations of strangers did not fit into memory and are"
              + " removed; give more memory with JAVA_TOOL_OPTIONS=-Xmx",
          leftOut);
    }
    return subscription;
  }

  private List<Route> createRoutes(
      DirectoryConfig config, LinkSources sources, LookupContext lookups) {
    Resource registration =
        new DirectoryRegistrationResource(
            registrations,
            catalogue,
            new RegistrationView(lookups, config.published()),
            config.registrations().links());
    Resource simple =
        new SimpleRegistration(
            registrations, sources.fetcher(), config.registrations().links(), clock);
    Resource endpoints =
        new LookupResource(LookupResource.Kind.ENDPOINTS, lookups, config.published());
    Resource links = new LookupResource(LookupResource.Kind.RESOURCES, lookups, config.published());
    Resource wellKnownCore =
        new WellKnownCore(lookups, sources.contributors(), simple, config.published().own());
    return List.of(
        Route.of("/rd", registration).withFastPath(),
        Route.of("/rd/*", registration).withFastPath(),
        Route.of("/rd-lookup/ep", endpoints).withMulticast(),
        Route.of("/rd-lookup/res", links).withMulticast(),
        Route.of("/.well-known/core", wellKnownCore).withMulticast(),
        Route.of("/.well-known/rd", simple));
  }

  private Store.Subscription awaitStart() {
    try {
      return started.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * The routes of the directory, for {@link dev.vigil.coap.exchange.RequestDispatcher}.
   *
   * @throws dev.vigil.store.StoreException if the store could not be read
   */
  public List<Route> routes() {
    awaitStart();
    return routes;
  }

  /**
   * Ends lifetimes: notifies observers of expired registrations, and removes registrations from the
   * store whose grace period has ended. Must be called about every second; lookups are correct
   * without it.
   */
  public void expire() {
    awaitStart();
    Catalogue.Expiry expiry = catalogue.expire(clock.millis());
    expiry.removable().forEach(registrations::forget);
    registrations.eviction().relieve();
    expiry.hidden().forEach(entry -> observed.changed(entry, List.of(entry.content())));
  }

  /** A registration by name, living or within its grace period. */
  public Optional<CatalogueEntry> registration(EndpointName name) {
    awaitStart();
    return catalogue.byName(name);
  }

  /** A registration by its id in {@code /rd/{id}}, living or within its grace period. */
  public Optional<CatalogueEntry> registration(String id) {
    awaitStart();
    return catalogue.byId(id);
  }

  /** The registrations of others, living or within their grace period; unordered. */
  public List<CatalogueEntry> plainRegistrations() {
    awaitStart();
    return catalogue.all().stream()
        .filter(entry -> entry.content().origin() instanceof Registration.Direct)
        .toList();
  }

  /**
   * The links of an entry that do not pose as links of this gateway, with unresolved targets and
   * anchors.
   *
   * @param base scheme and authority under which the gateway is published; may be empty
   */
  public List<Link> links(CatalogueEntry entry, String base) {
    return new GatewayBase(base, base, own).visible(entry, entry.content());
  }

  /** The number of strangers' registrations that were evicted since the start. */
  public long evicted() {
    return registrations.eviction().count();
  }

  /** Whether the store holds more than fits into memory, or did so at the start. */
  public boolean isDegraded() {
    awaitStart();
    return registrations.eviction().isDegraded();
  }

  /** The number of registered endpoints. */
  public int size() {
    awaitStart();
    return catalogue.size();
  }

  private void fold(Change change) {
    try {
      Optional<CatalogueEntry> known = catalogue.byId(change.id());
      Optional<CatalogueEntry.Content> before = known.map(CatalogueEntry::content);
      // A watcher that is added after this check reads the folded state.
      if (catalogue.fold(change, clock.millis()) && topics.areWatched()) {
        Optional<CatalogueEntry> now = catalogue.byId(change.id());
        now.or(() -> known)
            .ifPresent(
                entry ->
                    observed.changed(
                        entry,
                        Stream.concat(before.stream(), now.map(CatalogueEntry::content).stream())
                            .toList()));
      }
    } catch (RuntimeException e) {
      // The feed must continue: an unreadable registration is skipped.
      log.error("registration of {} skipped: it cannot be read", change.endpoint(), e);
    }
    if (starting) {
      leftOut += registrations.eviction().leaveOut();
    }
  }

  @Override
  public void close() {
    if (!started.isCompletedExceptionally()) {
      awaitStart().close();
    }
  }
}
