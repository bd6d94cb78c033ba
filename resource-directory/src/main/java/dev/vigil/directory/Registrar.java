package dev.vigil.directory;

import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.link.Hosts;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.registration.Parameters;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Decides registrations, updates and removals (RFC 9176 sections 5 and 5.3) and submits them. What
 * was decided on is named by the endpoint's version: when somebody else was faster, or something
 * else about the endpoint moved it, the decision is made anew.
 */
final class Registrar {
  private static final int ATTEMPTS = 5;
  private static final long BUSY_SECONDS = 5;

  private final Store store;
  private final Catalogue catalogue;
  private final Access access;
  private final Clock clock;
  private final RateLimit rates;

  private final Room room;

  Registrar(Store store, Catalogue catalogue, Access access, DirectoryConfig config, Clock clock) {
    this.store = store;
    this.catalogue = catalogue;
    this.access = access;
    this.clock = clock;
    this.room = new Room(catalogue, config);
    this.rates = new RateLimit(config.changesPerSource(), config.burstSeconds(), clock);
  }

  /**
   * @param simple whether the registrant is told no location
   * @return completes with the change; exceptionally with {@link ExchangeException}
   */
  CompletableFuture<Change> register(
      Request request, Parameters parameters, List<Link> links, boolean simple) {
    EndpointName name = parameters.name();
    Caller caller = request.caller();
    access.require(caller, Access.Action.REGISTER, name.d());
    rates.charge(caller);
    Registration registration =
        new Registration(
            origin(request, parameters.base(), simple),
            parameters.lifetime().orElse(Parameters.STANDARD_LIFETIME),
            links,
            parameters.extra());
    long octets = Room.octetsAtMost(registration);
    return land(
        name,
        octets,
        () -> {
          Optional<Entry> known = catalogue.byName(name);
          if (known.isPresent()) {
            // Beyond its lifetime a name is anybody's again.
            requireChangeable(known.get(), caller, isLiving(known.get()));
          }
          room.require(caller, registration, octets, known);
          return registration.toFact();
        });
  }

  /** What can be refused before anything is asked of the sender. */
  void requireMayRegister(Caller caller, Parameters parameters) {
    access.require(caller, Access.Action.REGISTER, parameters.d());
    catalogue
        .byName(parameters.name())
        .ifPresent(known -> requireChangeable(known, caller, isLiving(known)));
  }

  CompletableFuture<Change> update(Request request, Entry entry, Parameters parameters) {
    Caller caller = request.caller();
    EndpointName name = entry.name();
    access.require(caller, Access.Action.REGISTER, name.d());
    rates.charge(caller);
    if (!parameters.ep().isEmpty() && !parameters.ep().equals(name.ep())
        || !parameters.d().isEmpty() && !parameters.d().equals(name.d())) {
      throw new ExchangeException(Code.BAD_REQUEST, "ep and d cannot be changed");
    }
    return land(
        name,
        0,
        () -> {
          Entry known = requireChangeable(present(entry), caller, true);
          Entry.Content content = known.content();
          Registration.Origin origin =
              content.origin() instanceof Registration.Direct direct
                      && direct.stated()
                      && parameters.base().isEmpty()
                  ? direct
                  : origin(request, parameters.base(), isSimple(content));
          Registration updated =
              new Registration(
                  origin,
                  parameters.lifetime().orElse(content.lifetime()),
                  content.parseLinks(),
                  overridden(content.parameters(), parameters.extra()));
          room.require(caller, updated, Room.octetsAtMost(updated), Optional.of(known));
          return updated.toFact();
        });
  }

  CompletableFuture<Change> remove(Request request, Entry entry) {
    Caller caller = request.caller();
    access.require(caller, Access.Action.REGISTER, entry.name().d());
    rates.charge(caller);
    return land(
        entry.name(),
        0,
        () -> {
          requireChangeable(present(entry), caller, true);
          return Fact.none(Registration.SLOT);
        });
  }

  /**
   * Has the store forget what nobody renewed; another gateway may have done so, or renewed it while
   * we decided.
   */
  void forget(Entry entry) {
    Fact none = Fact.none(Registration.SLOT);
    attempt(
        entry.name(),
        entry.content().version(),
        none,
        () -> {
          if (catalogue.byId(entry.id()).isEmpty() || isLiving(entry)) {
            throw new ExchangeException(Code.NOT_FOUND, "no such registration");
          }
          return none;
        },
        ATTEMPTS);
  }

  private Entry present(Entry entry) {
    return catalogue
        .byId(entry.id())
        .filter(known -> isLiving(known) || !isSimple(known.content()))
        .orElseThrow(() -> new ExchangeException(Code.NOT_FOUND, "no such registration"));
  }

  private static boolean isSimple(Entry.Content content) {
    return content.origin() instanceof Registration.Direct direct && direct.simple();
  }

  private boolean isLiving(Entry entry) {
    return entry.content().expires() > clock.millis();
  }

  private Entry requireChangeable(Entry entry, Caller caller, boolean owned) {
    switch (entry.content().origin()) {
      case Registration.Mirrored mirrored ->
          throw new ExchangeException(Code.FORBIDDEN, "the mirror speaks for " + entry.name());
      case Registration.Direct direct -> {
        if (owned) {
          Owners.require(direct.owner(), caller, access, entry.name().d());
        }
      }
    }
    return entry;
  }

  /**
   * @param octets that the change adds at most
   */
  private CompletableFuture<Change> land(EndpointName name, long octets, Supplier<Fact> decision) {
    Fact fact = decision.get();
    long version = catalogue.byName(name).map(e -> e.content().version()).orElse(0L);
    room.underway(octets);
    return attempt(name, version, fact, decision, ATTEMPTS)
        .whenComplete((landed, thrown) -> room.underway(-octets))
        .exceptionally(
            thrown -> {
              Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
              if (cause instanceof StoreException) {
                // The store tells of it, once for as long as it fails.
                throw new ExchangeException(
                    Code.SERVICE_UNAVAILABLE, "the registration could not be stored", BUSY_SECONDS);
              }
              throw thrown instanceof RuntimeException e ? e : new CompletionException(thrown);
            });
  }

  private CompletableFuture<Change> attempt(
      EndpointName name, long version, Fact fact, Supplier<Fact> decision, int left) {
    return submit(name, version, fact)
        .thenCompose(
            outcome ->
                switch (outcome) {
                  case Outcome.Landed(Change change) -> CompletableFuture.completedFuture(change);
                  case Outcome.VersionMoved(long moved) when left > 1 ->
                      attempt(name, moved, decision.get(), decision, left - 1);
                  case Outcome.VersionMoved moved -> busy();
                  case Outcome.SequenceUsed used -> busy();
                });
  }

  private CompletableFuture<Outcome> submit(EndpointName name, long version, Fact fact) {
    return store.submit(
        new Batch(
            name, clock.instant(), OptionalLong.empty(), OptionalLong.of(version), List.of(fact)));
  }

  private static CompletableFuture<Change> busy() {
    return CompletableFuture.failedFuture(
        new ExchangeException(
            Code.SERVICE_UNAVAILABLE, "others change the same endpoint", BUSY_SECONDS));
  }

  private static List<Query.Parameter> overridden(
      List<Query.Parameter> before, List<Query.Parameter> changes) {
    List<Query.Parameter> all = new ArrayList<>(before);
    all.removeIf(old -> changes.stream().anyMatch(c -> c.name().equals(old.name())));
    all.addAll(changes);
    return all;
  }

  private static Registration.Direct origin(
      Request request, Optional<String> base, boolean simple) {
    Caller caller = request.caller();
    String own = base.orElseGet(() -> sourceBase(request));
    boolean local = Parameters.isLinkLocal(own);
    String link = local ? LocalLink.of(caller) : "";
    if (local && link.isEmpty()) {
      throw new ExchangeException(
          Code.BAD_REQUEST, "a link-local base comes from another link than this request");
    }
    return new Registration.Direct(own, base.isPresent(), Owners.of(caller), link, simple);
  }

  private static String sourceBase(Request request) {
    if (request.base().startsWith("http")) {
      throw new ExchangeException(Code.BAD_REQUEST, "base is missing");
    }
    InetSocketAddress source = request.caller().source();
    String host = Hosts.literal(source.getAddress());
    boolean secure = request.caller().secure();
    int standard = secure ? 5684 : 5683;
    return (secure ? "coaps://" : "coap://")
        + host
        + (source.getPort() == standard ? "" : ":" + source.getPort());
  }
}
