package dev.vigil.mirror.state;

import dev.vigil.coap.exchange.Topic;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.NumberFloor;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The present state of all mirrored endpoints, listed keys and revoked keys: a projection of the
 * store's feed.
 *
 * <p>Only the feed's thread applies changes. Endpoints are immutable and replaced as a whole in
 * concurrent maps, so any thread can read without a lock.
 */
public final class MirrorState {
  private static final Logger log = LoggerFactory.getLogger(MirrorState.class);

  private final Map<String, MirroredEndpoint> byId = new ConcurrentHashMap<>();

  /**
   * By id: endpoints without a registration and a key. While the feed is read from its beginning,
   * these are endpoints whose registration and key were replaced later. Afterwards they are
   * forgotten endpoints that had commands, whose last command number stays.
   */
  private final Map<String, MirroredEndpoint> unregistered = new ConcurrentHashMap<>();

  private final Map<EndpointName, String> idByName = new ConcurrentHashMap<>();
  private final Map<String, String> idByAlias = new ConcurrentHashMap<>();
  private final KeyIndex keyIndex = new KeyIndex();
  private final Map<String, AtomicLong> nameCounts = new ConcurrentHashMap<>();
  private final Set<String> revoked = ConcurrentHashMap.newKeySet();
  private final Map<String, Map<String, ListedKey>> listed = new ConcurrentHashMap<>();

  /** Ids of the endpoints that may have commands that can expire. */
  private final Set<String> withCommands = ConcurrentHashMap.newKeySet();

  private final Topics topics;
  private volatile long position;
  private volatile long floor;

  public MirrorState(Topics topics) {
    this.topics = topics;
  }

  /** The topic that observers of a resource watch. */
  public static Topic topic(String id, String path) {
    return new Topic("ms/" + id + "/" + path);
  }

  /** The topic that observers of an endpoint's links and commands watch. */
  public static Topic topic(String id) {
    return new Topic("ms/" + id);
  }

  /** Applies the next change of the feed and notifies observers. */
  public void apply(Change change) {
    try {
      applyFacts(change);
    } catch (RuntimeException e) {
      // One unreadable endpoint must not stop the feed for all others.
      log.error(
          "skipped change {} of {}: its facts cannot be read; the endpoint keeps its former state",
          change.position(),
          change.endpoint(),
          e);
    }
    position = change.position();
  }

  private void applyFacts(Change change) {
    if (change.endpoint().ep().equals(StoreSlots.TRUST)) {
      change.facts().forEach(fact -> applyTrust(change.endpoint().d(), fact));
    } else if (!change.endpoint().isReserved()
        && (byId.containsKey(change.id())
            || change.facts().stream().anyMatch(MirrorState::isOfMirror))) {
      applyEndpoint(change);
    }
  }

  /**
   * Whether a fact belongs to the mirror; names that only the directory knows have no such facts.
   */
  private static boolean isOfMirror(Fact fact) {
    return switch (fact.slot()) {
      case StoreSlots.LEASE,
          StoreSlots.LIFE,
          StoreSlots.KEY,
          StoreSlots.HELD,
          StoreSlots.COMMANDS,
          StoreSlots.UPDATE_KEYS ->
          !fact.isNone();
      default -> fact.slot().startsWith(StoreSlots.VALUE) && !fact.isNone();
    };
  }

  private void applyEndpoint(Change change) {
    MirroredEndpoint before = byId.get(change.id());
    MirroredEndpoint next = (before == null ? unregistered(change) : before).with(change);
    if (next.lease() == null && next.keys() == null) {
      remove(next);
      keyIndex.update(next.id(), before, null);
      if (CommandQueue.of(next).last() > floor || !next.isEmpty()) {
        unregistered.put(next.id(), next);
      }
      return;
    }
    unregistered.remove(next.id());
    keyIndex.update(next.id(), before, next);
    if (next.lease() != null && (before == null || before.lease() != next.lease())) {
      next.lease().aliases().forEach(alias -> idByAlias.put(alias, next.id()));
    }
    byId.put(next.id(), next);
    if (next.commands() != null && (before == null || before.commands() != next.commands())) {
      withCommands.add(next.id());
    }
    if (idByName.put(next.name(), next.id()) == null) {
      nameCounter(next.name().d()).incrementAndGet();
    }
    notifyObservers(change);
  }

  private MirroredEndpoint unregistered(Change change) {
    MirroredEndpoint known = unregistered.get(change.id());
    return (known == null ? MirroredEndpoint.of(change.id(), change.endpoint()) : known)
        .raisedTo(floor);
  }

  private void notifyObservers(Change change) {
    if (!topics.areWatched()) {
      return;
    }
    for (Fact fact : change.facts()) {
      if (fact.slot().startsWith(StoreSlots.VALUE)) {
        topics.changed(topic(change.id(), fact.slot().substring(StoreSlots.VALUE.length())));
      } else if (fact.slot().equals(StoreSlots.COMMANDS) || fact.slot().equals(StoreSlots.LEASE)) {
        topics.changed(topic(change.id()));
      }
    }
  }

  private void remove(MirroredEndpoint endpoint) {
    byId.remove(endpoint.id());
    unregistered.remove(endpoint.id());
    if (idByName.remove(endpoint.name()) != null) {
      nameCounter(endpoint.name().d()).decrementAndGet();
    }
    idByAlias.values().removeIf(endpoint.id()::equals);
  }

  private void applyTrust(String domain, Fact fact) {
    String slot = fact.slot();
    if (slot.startsWith(StoreSlots.REVOKED)) {
      revoked.add(slot.substring(StoreSlots.REVOKED.length()));
    } else if (slot.equals(StoreSlots.FLOOR)) {
      floor = NumberFloor.read(fact.body());
      byId.replaceAll((id, endpoint) -> endpoint.raisedTo(floor));
    } else if (slot.startsWith(StoreSlots.LISTED)) {
      Map<String, ListedKey> keys = listed.computeIfAbsent(domain, d -> new ConcurrentHashMap<>());
      String jkt = slot.substring(StoreSlots.LISTED.length());
      if (fact.isNone()) {
        keys.remove(jkt);
      } else {
        keys.put(jkt, ListedKey.read(jkt, fact.body()));
      }
    }
  }

  /** The endpoint with this id, or with this alias from before its key was proven. */
  public @Nullable MirroredEndpoint byId(String id) {
    MirroredEndpoint endpoint = byId.get(id);
    if (endpoint != null) {
      return endpoint;
    }
    String aliased = idByAlias.get(id);
    return aliased == null ? null : byId.get(aliased);
  }

  public @Nullable MirroredEndpoint byName(EndpointName name) {
    String id = idByName.get(name);
    return id == null ? null : byId.get(id);
  }

  /** The endpoint whose present or former key has this thumbprint. */
  public @Nullable MirroredEndpoint byKey(String jkt) {
    String id = keyIndex.owner(jkt);
    return id == null ? null : byId.get(id);
  }

  /** The endpoints that have, had or ask for the key with this thumbprint. */
  public List<MirroredEndpoint> withKey(String jkt) {
    return keyIndex.ids(jkt).stream().map(byId::get).filter(Objects::nonNull).toList();
  }

  public Collection<MirroredEndpoint> all() {
    return byId.values();
  }

  /**
   * The number that every new number of any name must exceed; 0 unless the data was restored from a
   * backup.
   */
  public long floor() {
    return floor;
  }

  public boolean hasRevoked() {
    return !revoked.isEmpty();
  }

  public boolean isRevoked(String jkt) {
    return revoked.contains(jkt);
  }

  /** Thumbprints of the revoked keys. */
  public Set<String> revoked() {
    return Set.copyOf(revoked);
  }

  /** The imported keys of a domain by thumbprint. */
  public Map<String, ListedKey> listed(String domain) {
    return listed.getOrDefault(domain, Map.of());
  }

  /** Ids of the endpoints that may have commands that can expire. */
  public Set<String> withCommands() {
    return withCommands;
  }

  /** Removes an endpoint from {@link #withCommands} unless a command has been queued since. */
  public void removeWithCommands(String id) {
    withCommands.remove(id);
    if (CommandQueue.of(byId.get(id)).nextExpiry() != Long.MAX_VALUE) {
      withCommands.add(id);
    }
  }

  /** Number of the names in a domain, expired ones included. */
  public long nameCount(String domain) {
    return nameCounter(domain).get();
  }

  private AtomicLong nameCounter(String domain) {
    return nameCounts.computeIfAbsent(domain, d -> new AtomicLong());
  }

  /** The position of the last applied change in the feed. */
  public long position() {
    return position;
  }
}
