package dev.vigil.directory;

import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource directory: a projection of the store's feed and the resources that change and read
 * it. A thread of its own folds the past, so that whoever starts it can do other things meanwhile;
 * each method waits for it.
 */
public final class Directory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Directory.class);

  private final Topics topics;
  private final Catalogue catalogue;
  private final Registrar registrar;
  private final ObservedLookups observed;
  private final Clock clock;
  private final Map<String, Resource> resources;

  /** Done when the directory stands at the present. */
  private final CompletableFuture<Store.Subscription> following;

  /**
   * @param contributors of further links for {@code /.well-known/core}; those of the mirror's
   *     endpoints are there without
   * @param fetcher reads the links of those who register by {@code /.well-known/rd}; empty where
   *     nothing can
   */
  public Directory(
      Store store,
      Topics topics,
      Access access,
      DirectoryConfig config,
      Clock clock,
      List<Supplier<List<Link>>> contributors,
      Optional<Fetcher> fetcher) {
    this.topics = topics;
    this.observed = new ObservedLookups(topics);
    this.clock = clock;
    this.catalogue = new Catalogue(config.grace().toMillis());
    this.registrar = new Registrar(store, catalogue, access, config, clock);
    LargeLookups large = new LargeLookups(config.largeLookups());
    Resource registrations =
        new RegistrationResource(registrar, catalogue, access, config.links(), clock);
    Resource simple = new SimpleRegistration(registrar, fetcher, config.links(), clock);
    this.resources =
        Map.of(
            "/rd",
            registrations,
            "/rd/*",
            registrations,
            "/rd-lookup/ep",
            new LookupResource(
                LookupResource.Kind.ENDPOINTS, catalogue, access, config, large, observed, clock),
            "/rd-lookup/res",
            new LookupResource(
                LookupResource.Kind.RESOURCES, catalogue, access, config, large, observed, clock),
            "/.well-known/core",
            new WellKnownCore(
                catalogue,
                access,
                config.maxResults(),
                large,
                observed,
                clock,
                contributors,
                simple),
            "/.well-known/rd",
            simple);
    this.following =
        CompletableFuture.supplyAsync(
            () -> store.changes(Registration.SLOT, 0, this::fold),
            task -> Thread.ofPlatform().name("directory-start").daemon().start(task));
  }

  /** The subscription, once the past is folded. */
  private Store.Subscription present() {
    try {
      return following.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * By path, for {@link dev.vigil.directory.exchange.Site}.
   *
   * @throws StoreException when the store could not be read
   */
  public Map<String, Resource> resources() {
    present();
    return resources;
  }

  /**
   * Lets lifetimes pass: observers of lookups hear of what vanished, and the store forgets what was
   * not renewed in its grace. Lookups are right without it; to be called every second or so.
   */
  public void pass() {
    present();
    Catalogue.Passed passed = catalogue.pass(clock.millis());
    passed.forgotten().forEach(registrar::forget);
    passed.hidden().forEach(entry -> observed.changed(entry, List.of(entry.content())));
  }

  /** A registration by name, living or lately expired. */
  public Optional<Entry> registration(EndpointName name) {
    present();
    return catalogue.byName(name);
  }

  /** How many endpoints are registered. */
  public int size() {
    present();
    return catalogue.size();
  }

  private void fold(Change change) {
    try {
      Optional<Entry> known = catalogue.byId(change.id());
      Optional<Entry.Content> before = known.map(Entry::content);
      // Who begins to watch after this asks what was folded here.
      if (catalogue.fold(change, clock.millis()) && topics.areWatched()) {
        Optional<Entry> now = catalogue.byId(change.id());
        now.or(() -> known)
            .ifPresent(
                entry ->
                    observed.changed(
                        entry,
                        Stream.concat(before.stream(), now.map(Entry::content).stream()).toList()));
      }
    } catch (RuntimeException e) {
      // The feed must go on: one registration that cannot be read is not shown.
      log.error("registration of {} passed over", change.endpoint(), e);
    }
  }

  @Override
  public void close() {
    if (!following.isCompletedExceptionally()) {
      present().close();
    }
  }
}
