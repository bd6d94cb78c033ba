package dev.vigil.mirror;

import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.mirror.control.ResourceControl;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.read.AuditEntry;
import dev.vigil.mirror.read.Census;
import dev.vigil.mirror.read.DomainUsage;
import dev.vigil.mirror.read.EndpointCursor;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.Inventory;
import dev.vigil.mirror.read.KeyCursor;
import dev.vigil.mirror.read.KeyView;
import dev.vigil.mirror.read.MirrorEvent;
import dev.vigil.mirror.read.MirrorEvents;
import dev.vigil.mirror.read.Presence;
import dev.vigil.mirror.read.Standing;
import dev.vigil.mirror.read.history.ArchiveReader;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.refusal.RefusalCount;
import dev.vigil.mirror.refusal.RefusalCounters;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.RecoveredReadings;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Queries about the mirror's state, for operators and applications. The caller checks access. */
public final class MirrorQueries {
  private final Store store;
  private final MirrorContext context;
  private final Map<String, Domain> domains;
  private final Inventory inventory;
  private final ArchiveReader archive;
  private final RecoveredReadings recovered;
  private final RefusalCounters refusals;

  MirrorQueries(
      Store store,
      MirrorContext context,
      Map<String, Domain> domains,
      Inventory inventory,
      ArchiveReader archive,
      RecoveredReadings recovered,
      RefusalCounters refusals) {
    this.store = store;
    this.context = context;
    this.domains = domains;
    this.inventory = inventory;
    this.archive = archive;
    this.recovered = recovered;
    this.refusals = refusals;
  }

  /** All endpoints in the order of their cursors, including unproven and expired ones. */
  public List<EndpointView> endpoints() {
    return endpoints(cursor -> true, null, Integer.MAX_VALUE);
  }

  /**
   * A page of endpoints in the order of their cursors.
   *
   * @param after the cursor of the last endpoint of the previous page; null to start with the first
   */
  public List<EndpointView> endpoints(
      Predicate<EndpointCursor> filter, @Nullable EndpointCursor after, int limit) {
    return inventory.endpoints(filter, after, limit);
  }

  public Optional<EndpointView> endpoint(String id) {
    return Optional.ofNullable(inventory.endpoint(id));
  }

  /** Whether an endpoint was heard; empty if it is not registered, has withdrawn or is unproven. */
  public Optional<Presence> presence(String id) {
    return inventory.presence(id);
  }

  /** The trust and freshness of an endpoint; empty for an unknown one. */
  public Optional<Standing> standing(String id) {
    return inventory.standing(id);
  }

  /** The source of an endpoint's last newly accepted message since the start; empty without one. */
  public Optional<SourceAddress> address(String id) {
    return context.sources().address(id);
  }

  /**
   * The address of the mote on which an endpoint runs. An IPsec association proved it with the last
   * newly accepted message that it carried since the start; empty without such a message.
   */
  public Optional<SourceAddress> associatedAddress(String id) {
    return context.sources().associatedAddress(id);
  }

  /** The addresses of all endpoints' last newly accepted messages, by their ids. */
  public Map<String, SourceAddress> addresses() {
    return context.sources().addresses();
  }

  /**
   * Whether the last newly accepted message of any endpoint came from an address. Fast, because it
   * is called for waiting datagrams.
   */
  public boolean isAddressOfEndpoint(SourceAddress address) {
    return context.sources().isAddressOfEndpoint(address);
  }

  /** Ids of the registered endpoints without the unproven ones; unordered. */
  public List<String> registeredIds() {
    return inventory.registeredIds();
  }

  /** The paths of the resources of an endpoint that have values. */
  public List<String> pathsWithValues(String id) {
    return inventory.pathsWithValues(id);
  }

  /** The last values of the resources of an endpoint; empty for an unknown one. */
  public List<StoredValue> lastValues(String id) {
    return inventory.lastValues(id);
  }

  /** The records of the last value of a resource; empty without a value. */
  public List<ResolvedRecord> lastMeasurements(String id, String path) {
    return inventory.lastMeasurements(id, path);
  }

  /**
   * A page of keys in the order of their cursors: present, held and former keys of endpoints,
   * listed keys and revoked keys.
   *
   * @param after the cursor of the last key of the previous page; null to start with the first
   */
  public List<KeyView> keys(Predicate<KeyView> filter, @Nullable KeyCursor after, int limit) {
    return inventory.keys(filter, after, limit);
  }

  /**
   * One key under each name that it has, had or asks for, and in each domain that lists it, in the
   * order of cursors. Does not examine other keys.
   */
  public List<KeyView> keys(String thumbprint) {
    return inventory.keys(thumbprint);
  }

  /**
   * The present, former, held and approved keys of an endpoint in the order of their cursors; none
   * for an unknown or unproven one.
   */
  public List<KeyView> keysOf(String id) {
    return inventory.keysOf(id);
  }

  /** The administrative domains by name. */
  public Map<String, Domain> domains() {
    return domains;
  }

  /** Counts endpoints and keys by state; examines every endpoint. */
  public Census census() {
    return inventory.census();
  }

  /** Counters since the start. */
  public MirrorCounts counts() {
    return new MirrorCounts(context, refusals);
  }

  public DomainUsage usage(String domain) {
    return inventory.usage(domain);
  }

  /** The pending commands of an endpoint and the last ones that ended, ordered by number. */
  public List<CommandView> commands(String id) {
    long now = context.now();
    return queue(id).commands().stream().map(command -> CommandView.of(command, now)).toList();
  }

  /** Paths of an endpoint's resources that accept commands according to its registration. */
  public List<String> actuators(String id) {
    MirroredEndpoint endpoint = context.state().byId(id);
    Lease lease = endpoint == null ? null : endpoint.lease();
    return lease == null ? List.of() : EndpointLinks.actuators(lease.links());
  }

  /** The control of a resource, as its registration declares it. */
  public ResourceControl control(String id, String path) {
    MirroredEndpoint endpoint = context.state().byId(id);
    Lease lease = endpoint == null ? null : endpoint.lease();
    return EndpointLinks.control(lease == null ? "" : lease.links(), path);
  }

  /** The highest number ever accepted for a command of an endpoint; 0 before the first. */
  public long lastCommand(String id) {
    return queue(id).last();
  }

  /** Whether an endpoint has as many pending commands as its domain allows. */
  public boolean isCommandQueueFull(String id) {
    MirroredEndpoint endpoint = context.state().byId(id);
    Domain domain = endpoint == null ? null : domains.get(endpoint.name().d());
    return domain != null
        && CommandQueue.of(endpoint).isFull(domain.limits().commands(), context.now());
  }

  private CommandQueue queue(String id) {
    return CommandQueue.of(context.state().byId(id));
  }

  /**
   * The audit trail, oldest entry first.
   *
   * @param ep only entries about that name in domain {@code d}; null for all entries of all domains
   * @param after a position in the feed
   * @param limit maximum number of changes; a change may contain several entries
   */
  public List<AuditEntry> audit(@Nullable String ep, String d, long after, int limit) {
    return entries(store.trail(StoreSlots.AUDIT, name(ep, d), after, limit));
  }

  /**
   * The audit trail, newest entry first.
   *
   * @param before a position in the feed; {@link Long#MAX_VALUE} to start with the newest
   */
  public List<AuditEntry> auditNewestFirst(@Nullable String ep, String d, long before, int limit) {
    return entries(store.trailBack(StoreSlots.AUDIT, name(ep, d), before, limit));
  }

  private static @Nullable EndpointName name(@Nullable String ep, String d) {
    return ep == null || ep.isEmpty() ? null : new EndpointName(ep, d);
  }

  private static List<AuditEntry> entries(List<Change> changes) {
    return changes.stream().flatMap(change -> MirrorEvents.auditEntries(change).stream()).toList();
  }

  /** Paths of an endpoint's resources that have values; empty for an unknown endpoint. */
  public List<String> archivedPaths(String id) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? List.of() : archive.paths(endpoint);
  }

  /**
   * The stored values of a resource by ascending sequence number; empty for an unknown endpoint.
   *
   * @param after only values with a higher sequence number
   */
  public List<ArchivedValue> archivedValues(String id, String path, long after, int limit) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? List.of() : archive.values(endpoint, path, after, limit);
  }

  /**
   * The stored values of a resource by descending sequence number.
   *
   * @param before only values with a lower sequence number
   */
  public List<ArchivedValue> archivedValuesBack(String id, String path, long before, int limit) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? List.of() : archive.valuesBack(endpoint, path, before, limit);
  }

  /**
   * The readings of a resource that were fetched from the endpoint's block store, oldest
   * measurement first. The endpoint did not sign them.
   */
  public List<RecoveredReadings.Recovered> recoveredValues(String id, String path) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? List.of() : recovered.values(endpoint.name(), path);
  }

  /**
   * A sequence number up to which a reader may skip the values of a resource: they arrived before a
   * time. 0 if there is none.
   */
  public long lastArchivedBefore(String id, String path, Instant at) {
    MirroredEndpoint endpoint = context.state().byId(id);
    return endpoint == null ? 0 : archive.lastBefore(endpoint, path, at);
  }

  /** The arrival time of a kept value; empty if the value is not kept. */
  public Optional<Instant> arrival(String id, String path, long seq) {
    return archivedValues(id, path, seq - 1, 1).stream()
        .filter(value -> value.seq() == seq)
        .map(ArchivedValue::arrived)
        .findAny();
  }

  /** Whether the key of that thumbprint is revoked. */
  public boolean isRevoked(String thumbprint) {
    return context.state().isRevoked(thumbprint);
  }

  /**
   * The percent-encoded form of a path, as in links and views.
   *
   * @param plain decoded segments joined by slashes
   */
  public static String canonicalPath(String plain) {
    return ResourcePaths.canonical(List.of(plain.split("/", -1)));
  }

  /** Counters of the requests refused since the start, by reason and endpoint. */
  public List<RefusalCount> refusals() {
    return refusals.all();
  }

  /** The counters of one endpoint. */
  public List<RefusalCount> refusals(String id) {
    return refusals.of(id);
  }

  /** Follows the mirror's events after a position; see {@link Store#changes}. */
  public Store.Subscription follow(long after, Consumer<MirrorEvent> follower) {
    return store.changes(after, change -> MirrorEvents.of(change).forEach(follower));
  }

  /** The position of the last applied change, from which {@link #follow} misses nothing. */
  public long position() {
    return context.state().position();
  }
}
