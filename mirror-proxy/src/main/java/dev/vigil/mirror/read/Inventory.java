package dev.vigil.mirror.read;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.UnprovenRegistration;
import dev.vigil.mirror.state.UnprovenRegistrations;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.store.EndpointName;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lists endpoints, keys and the usage of domains. */
public final class Inventory {
  private final MirrorState state;
  private final UnprovenRegistrations unprovenRegistrations;
  private final Map<String, Domain> domains;
  private final EndpointViews views;
  private final Clock clock;

  public Inventory(
      MirrorState state,
      UnprovenRegistrations unprovenRegistrations,
      Map<String, Domain> domains,
      EndpointViews views,
      Clock clock) {
    this.state = state;
    this.unprovenRegistrations = unprovenRegistrations;
    this.domains = domains;
    this.views = views;
    this.clock = clock;
  }

  /**
   * A page of endpoints in the order of their cursors. Full views are built only for the endpoints
   * of the page.
   *
   * @param after the cursor of the last endpoint of the previous page; null to start with the first
   */
  public List<EndpointView> endpoints(
      Predicate<EndpointCursor> filter, @Nullable EndpointCursor after, int limit) {
    BoundedSelection<EndpointCursor> page =
        new BoundedSelection<>(EndpointCursor::compareTo, limit);
    Consumer<EndpointCursor> offer =
        cursor -> {
          if ((after == null || cursor.compareTo(after) > 0) && filter.test(cursor)) {
            page.offer(cursor);
          }
        };
    // Unproven endpoints come first, so that an endpoint proven during the search is not missed.
    unprovenRegistrations.all(now()).forEach(unproven -> offer.accept(cursor(unproven)));
    for (MirroredEndpoint endpoint : state.all()) {
      if (endpoint.isRegistered()) {
        offer.accept(cursor(endpoint));
      }
    }
    List<EndpointView> found = new ArrayList<>();
    for (EndpointCursor cursor : page.inOrder()) {
      EndpointView view = endpoint(cursor.id());
      if (view != null) {
        found.add(view);
      }
    }
    return found;
  }

  private static EndpointCursor cursor(MirroredEndpoint endpoint) {
    return new EndpointCursor(endpoint.name().d(), endpoint.name().ep(), endpoint.id());
  }

  private static EndpointCursor cursor(UnprovenRegistration unproven) {
    EndpointName name = unproven.request().name();
    return new EndpointCursor(name.d(), name.ep(), unproven.id());
  }

  /** Empty if the endpoint is not registered, has withdrawn or is unproven. */
  public Optional<Presence> presence(String id) {
    return views.presence(state.byId(id));
  }

  /** Ids of the registered endpoints without the unproven ones; unordered. */
  public List<String> registeredIds() {
    return state.all().stream()
        .filter(MirroredEndpoint::isRegistered)
        .map(MirroredEndpoint::id)
        .toList();
  }

  /** The paths of the resources of an endpoint that have values. */
  public List<String> pathsWithValues(String id) {
    MirroredEndpoint endpoint = state.byId(id);
    return endpoint == null
        ? List.of()
        : endpoint.values().stream().map(StoredValue::path).toList();
  }

  /** The last values of the resources of an endpoint; empty for an unknown one. */
  public List<StoredValue> lastValues(String id) {
    MirroredEndpoint endpoint = state.byId(id);
    return endpoint == null ? List.of() : List.copyOf(endpoint.values());
  }

  /** The records of the last value of a resource; empty without a value. */
  public List<ResolvedRecord> lastMeasurements(String id, String path) {
    MirroredEndpoint endpoint = state.byId(id);
    StoredValue value = endpoint == null ? null : endpoint.value(path);
    return value == null ? List.of() : value.pack().resolve(value.arrived() / 1000.0);
  }

  /** Empty for an unknown endpoint. */
  public Optional<Standing> standing(String id) {
    MirroredEndpoint endpoint = state.byId(id);
    if (endpoint != null && endpoint.isRegistered()) {
      return views.standing(endpoint);
    }
    EndpointView view = endpoint(id);
    return view == null
        ? Optional.empty()
        : Optional.of(new Standing(view.state(), view.freshness()));
  }

  public @Nullable EndpointView endpoint(String id) {
    MirroredEndpoint endpoint = state.byId(id);
    if (endpoint != null && endpoint.isRegistered()) {
      return views.of(endpoint);
    }
    UnprovenRegistration unproven = unprovenRegistrations.find(id, now());
    return unproven == null ? null : views.of(unproven);
  }

  /**
   * A page of keys in the order of their cursors.
   *
   * @param after the cursor of the last key of the previous page; null to start with the first
   */
  public List<KeyView> keys(Predicate<KeyView> filter, @Nullable KeyCursor after, int limit) {
    BoundedSelection<KeyView> page =
        new BoundedSelection<>(Comparator.comparing(KeyCursor::of), limit);
    forEachKey(
        key -> {
          if ((after == null || KeyCursor.of(key).compareTo(after) > 0) && filter.test(key)) {
            page.offer(key);
          }
        });
    return page.inOrder();
  }

  /** A key under each of its names and in each domain that lists it, in the order of cursors. */
  public List<KeyView> keys(String jkt) {
    List<KeyView> found = new ArrayList<>();
    for (UnprovenRegistration unproven : unprovenRegistrations.withKey(jkt, now())) {
      found.add(KeyViews.unproven(unproven));
    }
    for (MirroredEndpoint endpoint : state.withKey(jkt)) {
      forEachKeyOf(endpoint, state::isRevoked, key -> addIf(key.jkt().equals(jkt), key, found));
    }
    boolean isEndpoints = found.stream().anyMatch(key -> key.state() == TrustState.REVOKED);
    if (state.isRevoked(jkt) && !isEndpoints) {
      found.add(KeyViews.revoked(jkt));
    }
    for (String domain : domains.keySet()) {
      ListedKey listed = state.listed(domain).get(jkt);
      if (listed != null) {
        forUnusedKey(domain, listed, found::add);
      }
    }
    found.sort(Comparator.comparing(KeyCursor::of));
    return found;
  }

  private static void addIf(boolean wanted, KeyView key, List<KeyView> found) {
    if (wanted) {
      found.add(key);
    }
  }

  /** Present, held and former keys of endpoints, listed keys and other revoked ones; unordered. */
  private void forEachKey(Consumer<KeyView> action) {
    Set<String> unseenRevoked = new TreeSet<>(state.revoked());
    Predicate<String> isRevoked =
        jkt -> {
          unseenRevoked.remove(jkt);
          return state.isRevoked(jkt);
        };
    state.all().forEach(endpoint -> forEachKeyOf(endpoint, isRevoked, action));
    unprovenRegistrations
        .all(now())
        .forEach(unproven -> action.accept(KeyViews.unproven(unproven)));
    domains.keySet().forEach(domain -> forEachListedKey(domain, action));
    for (String jkt : unseenRevoked) {
      action.accept(KeyViews.revoked(jkt));
    }
  }

  private static void forEachKeyOf(
      MirroredEndpoint endpoint, Predicate<String> isRevoked, Consumer<KeyView> action) {
    KeyHistory keys = endpoint.keys();
    if (keys != null) {
      TrustState shown = isRevoked.test(keys.jkt()) ? TrustState.REVOKED : keys.state();
      action.accept(KeyViews.present(endpoint, keys, shown));
      for (Jwk former : keys.previous()) {
        boolean wasRevoked = isRevoked.test(former.thumbprint());
        action.accept(
            KeyViews.former(
                endpoint, former, wasRevoked ? TrustState.REVOKED : TrustState.REPLACED));
      }
    }
    endpoint.held().keys().forEach(held -> action.accept(KeyViews.held(endpoint, held)));
    endpoint.held().approved().forEach(jkt -> action.accept(KeyViews.approvedAhead(endpoint, jkt)));
  }

  /** Ordered by cursor; empty for an unknown or unproven endpoint. */
  public List<KeyView> keysOf(String id) {
    List<KeyView> keys = new ArrayList<>();
    MirroredEndpoint endpoint = state.byId(id);
    if (endpoint != null) {
      forEachKeyOf(endpoint, state::isRevoked, keys::add);
    }
    keys.sort(Comparator.comparing(KeyCursor::of));
    return keys;
  }

  private void forEachListedKey(String domain, Consumer<KeyView> action) {
    state.listed(domain).values().forEach(key -> forUnusedKey(domain, key, action));
  }

  /** A listed key is shown as listed until an endpoint uses it. */
  private void forUnusedKey(String domain, ListedKey key, Consumer<KeyView> action) {
    if (state.byKey(key.jkt()) == null && !state.isRevoked(key.jkt())) {
      action.accept(KeyViews.listed(domain, key));
    }
  }

  /** Examines every endpoint, which takes some milliseconds for 100 000. */
  public Census census() {
    Census.Tally tally = new Census.Tally();
    for (MirroredEndpoint endpoint : state.all()) {
      KeyHistory keys = endpoint.keys();
      if (keys != null) {
        TrustState trust = shown(keys.jkt(), keys.state());
        Lease lease = endpoint.lease();
        if (lease != null && lease.lifetime() > 0) {
          tally.addEndpoint(trust, views.freshness(endpoint, trust));
        }
        if (trust != TrustState.REVOKED) {
          tally.addKeys(trust, 1);
        }
        keys.previous().forEach(former -> addFormer(tally, former));
      }
      tally.addKeys(TrustState.PENDING, endpoint.held().keys().size());
    }
    tally.addKeys(TrustState.REVOKED, state.revoked().size());
    for (UnprovenRegistration unproven : unprovenRegistrations.all(now())) {
      tally.addEndpoint(TrustState.UNPROVEN, Freshness.NOT_TRUSTED);
      tally.addKeys(TrustState.UNPROVEN, 1);
    }
    return tally.census(domains.keySet().stream().mapToLong(d -> state.listed(d).size()).sum());
  }

  /** A thumbprint costs a hash and is computed only while there are revoked keys. */
  private void addFormer(Census.Tally tally, Jwk former) {
    if (!state.hasRevoked() || !state.isRevoked(former.thumbprint())) {
      tally.addKeys(TrustState.REPLACED, 1);
    }
  }

  private TrustState shown(String jkt, TrustState stored) {
    return state.isRevoked(jkt) ? TrustState.REVOKED : stored;
  }

  public DomainUsage usage(String domain) {
    long now = now();
    long live = 0;
    long pending = 0;
    long held = 0;
    for (MirroredEndpoint endpoint : state.all()) {
      if (endpoint.name().d().equals(domain)) {
        KeyHistory keys = endpoint.keys();
        live += endpoint.isLive(now) ? 1 : 0;
        pending += keys != null && keys.state() == TrustState.PENDING ? 1 : 0;
        held += endpoint.held().keys().isEmpty() ? 0 : 1;
      }
    }
    long unproven =
        unprovenRegistrations.all(now).stream()
            .filter(each -> each.request().domain().name().equals(domain))
            .count();
    int listed = state.listed(domain).size();
    return new DomainUsage(state.nameCount(domain), live, pending, held, unproven, listed);
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
