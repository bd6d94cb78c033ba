package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.coap.link.UriHosts;
import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.lookup.LinkLocalScope;
import dev.vigil.directory.publishing.Registrant;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.OptimisticCommit;
import dev.vigil.store.OptimisticCommit.Outcome;
import dev.vigil.store.Store;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Decides registrations, updates and removals (RFC 9176 sections 5 and 5.3) and commits them on the
 * endpoint's version. If another writer, or another slot of the endpoint, has moved the version,
 * the decision is made again.
 */
public final class DirectoryRegistrationService {
  private static final int TRIES = 5;
  private static final long BUSY_SECONDS = 5;

  private final OptimisticCommit commits;
  private final Catalogue catalogue;
  private final Access access;
  private final Clock clock;
  private final ChangeLimiter rates;
  private final CapacityLimit capacity;
  private final Eviction eviction;
  private final GatewayReferences gatewayReferences;

  public DirectoryRegistrationService(
      Store store,
      Catalogue catalogue,
      Access access,
      RegistrationLimits limits,
      Clock clock,
      OwnAuthorities own) {
    this.gatewayReferences = new GatewayReferences(own);
    this.commits = new OptimisticCommit(store, TRIES);
    this.catalogue = catalogue;
    this.access = access;
    this.clock = clock;
    this.capacity = new CapacityLimit(catalogue, limits);
    this.eviction = new Eviction(commits, catalogue, capacity, clock);
    this.rates = new ChangeLimiter(limits.changesPerSecond(), limits.burstSeconds(), clock);
  }

  /**
   * @param simple whether this is a simple registration, whose registrant learns no location
   * @return completes with the change; exceptionally with {@link ErrorResponseException}
   */
  CompletableFuture<Change> register(
      Request request, RegistrationParameters parameters, List<Link> links, boolean simple) {
    EndpointName name = parameters.name();
    Caller caller = request.caller();
    access.require(caller, Access.Action.REGISTER, name.d());
    rates.charge(caller);
    gatewayReferences.refuse(request, parameters.base(), links);
    Registration registration =
        new Registration(
            origin(request, parameters.base(), simple),
            parameters.lifetime().orElse(RegistrationParameters.STANDARD_LIFETIME),
            links,
            parameters.extra());
    return commit(
        caller,
        name,
        known -> {
          // The name of an expired registration is free for any registrant.
          known.ifPresent(e -> requireChangeable(e, caller, isLiving(e.content())));
          return known
              .filter(entry -> isLiving(entry.content()))
              .map(entry -> UnverifiedChanges.require(caller, entry.content(), registration))
              .orElse(registration);
        });
  }

  /** The checks that need no answer from the registrant; they precede a fetch of its links. */
  void requireMayRegister(Caller caller, RegistrationParameters parameters) {
    access.require(caller, Access.Action.REGISTER, parameters.d());
    catalogue
        .byName(parameters.name())
        .ifPresent(known -> requireChangeable(known, caller, isLiving(known.content())));
  }

  CompletableFuture<Change> update(
      Request request, CatalogueEntry entry, RegistrationParameters parameters) {
    Caller caller = request.caller();
    EndpointName name = entry.name();
    access.require(caller, Access.Action.REGISTER, name.d());
    rates.charge(caller);
    if (!parameters.ep().isEmpty() && !parameters.ep().equals(name.ep())
        || !parameters.d().isEmpty() && !parameters.d().equals(name.d())) {
      throw new ErrorResponseException(Code.BAD_REQUEST, "ep and d cannot be changed");
    }
    gatewayReferences.refuse(request, parameters.base(), List.of());
    return commit(
        caller,
        name,
        present -> {
          CatalogueEntry known = requireChangeable(requirePresent(present), caller, true);
          CatalogueEntry.Content content = known.content();
          long lifetime = parameters.lifetime().orElse(content.lifetime());
          List<Query.Parameter> extra = overridden(content.parameters(), parameters.extra());
          if (extra.size() > content.parameters().size()) {
            // An earlier version stored more parameters, and such an entry can still be renewed.
            RegistrationParameters.requireFew(extra);
          }
          Registration.Origin origin =
              UnverifiedChanges.require(
                  caller,
                  content,
                  updatedOrigin(request, parameters.base(), content),
                  lifetime,
                  extra);
          return new Registration(origin, lifetime, content.parseLinks(known.id()), extra);
        });
  }

  /** A stated base stays unchanged. The registrant then also stays, unless it is unknown. */
  private static Registration.Origin updatedOrigin(
      Request request, Optional<String> base, CatalogueEntry.Content content) {
    if (content.origin() instanceof Registration.Direct direct
        && direct.stated()
        && base.isEmpty()) {
      return direct.registrant().equals(Registrant.UNKNOWN)
          ? new Registration.Direct(
              direct.base(),
              true,
              RegistrationOwners.registrant(request.caller()),
              direct.link(),
              direct.simple())
          : direct;
    }
    return origin(request, base, isSimple(content));
  }

  CompletableFuture<Change> remove(Request request, CatalogueEntry entry) {
    Caller caller = request.caller();
    access.require(caller, Access.Action.REGISTER, entry.name().d());
    rates.charge(caller);
    return commits
        .commit(
            version -> {
              Optional<CatalogueEntry> present = catalogue.byName(entry.name());
              CatalogueEntry known = requireChangeable(requirePresent(present), caller, true);
              UnverifiedChanges.requireVerified(caller);
              return batch(
                  known.name(),
                  version.orElse(known.content().version()),
                  Fact.none(Registration.SLOT));
            })
        .thenApply(DirectoryRegistrationService::change);
  }

  /**
   * Removes an expired registration from the store. Another gateway may have removed or renewed it
   * in the meantime.
   */
  public void forget(CatalogueEntry entry) {
    CatalogueEntry.Content expired = entry.content();
    if (isLiving(expired)) {
      return;
    }
    commits.commit(
        version -> {
          // The name may have got another entry, which has the same id.
          if (version.isPresent()
              && catalogue
                  .byId(entry.id())
                  .filter(e -> e == entry && !isLiving(e.content()))
                  .isEmpty()) {
            throw missing();
          }
          return batch(
              entry.name(), version.orElse(expired.version()), Fact.none(Registration.SLOT));
        });
  }

  private CatalogueEntry requirePresent(Optional<CatalogueEntry> entry) {
    return entry
        .filter(known -> isLiving(known.content()) || !isSimple(known.content()))
        .orElseThrow(DirectoryRegistrationService::missing);
  }

  static ErrorResponseException missing() {
    return new ErrorResponseException(Code.NOT_FOUND, "no such registration");
  }

  private static boolean isSimple(CatalogueEntry.Content content) {
    return content.origin() instanceof Registration.Direct direct && direct.simple();
  }

  private boolean isLiving(CatalogueEntry.Content content) {
    return content.expires() > clock.millis();
  }

  /**
   * @param owned whether the entry still belongs to its registrant, or to the publisher
   */
  private CatalogueEntry requireChangeable(CatalogueEntry entry, Caller caller, boolean owned) {
    if (owned) {
      switch (entry.content().origin()) {
        case Registration.Published published ->
            throw new ErrorResponseException(
                Code.FORBIDDEN, "this gateway answers for " + entry.name() + " itself");
        case Registration.Direct direct ->
            RegistrationOwners.require(direct.registrant(), caller, access, entry.name().d());
      }
    }
    return entry;
  }

  /**
   * @param decision computes the next registration from the present entry of the name
   */
  private CompletableFuture<Change> commit(
      Caller caller, EndpointName name, Function<Optional<CatalogueEntry>, Registration> decision) {
    AtomicLong reserved = new AtomicLong();
    return commits
        .commit(
            version -> {
              Optional<CatalogueEntry> known = catalogue.byName(name);
              long decidedOn =
                  version.orElseGet(() -> known.map(e -> e.content().version()).orElse(0L));
              Registration next = decision.apply(known);
              if (version.isEmpty()) {
                reserved.set(makeRoom(caller, next, known));
              }
              return batch(name, decidedOn, next.toFact());
            })
        .whenComplete((outcome, thrown) -> capacity.release(reserved.get()))
        .thenApply(DirectoryRegistrationService::change);
  }

  /**
   * @return the octets that are reserved until the catalogue counts the registration
   */
  private long makeRoom(Caller caller, Registration next, Optional<CatalogueEntry> known) {
    long octets = CapacityLimit.octetsAtMost(next);
    eviction.remove(capacity.require(caller, next, octets, known));
    capacity.reserve(octets);
    return octets;
  }

  /** The eviction of entries when the directory is full. */
  public Eviction eviction() {
    return eviction;
  }

  private Batch batch(EndpointName name, long version, Fact fact) {
    return new Batch(
        name, clock.instant(), OptionalLong.empty(), OptionalLong.of(version), List.of(fact));
  }

  private static Change change(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Committed(Change change) -> change;
      case Outcome.NotStored(Throwable cause) ->
          throw new ErrorResponseException(
              Code.SERVICE_UNAVAILABLE, "the registration could not be stored", BUSY_SECONDS);
      case Outcome.Contended contended -> throw busy();
      // A registration at the directory carries no sequence number.
      case Outcome.SequenceUsed used -> throw busy();
    };
  }

  private static ErrorResponseException busy() {
    return new ErrorResponseException(
        Code.SERVICE_UNAVAILABLE, "other requests are changing the same endpoint", BUSY_SECONDS);
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
    boolean linkLocal = RegistrationParameters.isLinkLocal(own);
    String link = linkLocal ? LinkLocalScope.of(caller) : "";
    if (linkLocal && link.isEmpty()) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST, "a link-local base needs a request from an address of the same link");
    }
    return new Registration.Direct(
        own, base.isPresent(), RegistrationOwners.registrant(caller), link, simple);
  }

  private static String sourceBase(Request request) {
    if (request.base().startsWith("http")) {
      throw new ErrorResponseException(Code.BAD_REQUEST, "base is missing");
    }
    InetSocketAddress source = request.caller().source();
    String host = UriHosts.literal(source.getAddress());
    boolean secure = request.caller().secure();
    int standard = secure ? 5684 : 5683;
    return (secure ? "coaps://" : "coap://")
        + host
        + (source.getPort() == standard ? "" : ":" + source.getPort());
  }
}
