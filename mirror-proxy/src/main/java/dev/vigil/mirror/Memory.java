package dev.vigil.mirror;

import dev.vigil.directory.exchange.Topic;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The present state of all mirrored endpoints: the store's feed folded up. Written by the feed's
 * thread alone, read by all.
 */
final class Memory {
  private static final Logger log = LoggerFactory.getLogger(Memory.class);

  private final Map<String, Mirrored> byId = new ConcurrentHashMap<>();
  private final Map<EndpointName, String> byName = new ConcurrentHashMap<>();
  private final Map<String, String> aliases = new ConcurrentHashMap<>();
  private final Map<String, String> idByKey = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> namesByDomain = new ConcurrentHashMap<>();
  private final Set<String> revoked = ConcurrentHashMap.newKeySet();
  private final Map<String, Map<String, ListedKey>> listed = new ConcurrentHashMap<>();

  /** Endpoints that may have commands waiting. */
  private final Set<String> commanded = ConcurrentHashMap.newKeySet();

  private final Topics topics;
  private volatile long position;

  Memory(Topics topics) {
    this.topics = topics;
  }

  /** What is to be watched for a resource. */
  static Topic topic(String id, String path) {
    return new Topic("ms/" + id + "/" + path);
  }

  static Topic topic(String id) {
    return new Topic("ms/" + id);
  }

  /** Takes one change of the feed. */
  void fold(Change change) {
    try {
      take(change);
    } catch (RuntimeException e) {
      // The feed must go on: one endpoint that cannot be read is not served.
      log.error("the change {} of {} is passed over", change.position(), change.endpoint(), e);
    }
    position = change.position();
  }

  private void take(Change change) {
    if (change.endpoint().ep().equals(Slots.TRUST)) {
      change.facts().forEach(fact -> trust(change.endpoint().d(), fact));
    } else if (byId.containsKey(change.id()) || change.facts().stream().anyMatch(Memory::ours)) {
      remember(change);
    }
  }

  private static boolean ours(Fact fact) {
    return fact.slot().equals(Slots.LEASE) || fact.slot().equals(Slots.KEY);
  }

  private void remember(Change change) {
    Mirrored before = byId.get(change.id());
    Mirrored next = (before == null ? Mirrored.of(change) : before).with(change);
    if (next.lease() == null && next.ring() == null) {
      forget(next);
      return;
    }
    KeyRing ring = next.ring();
    if (ring != null && (before == null || before.ring() != ring)) {
      index(next.id(), ring);
    }
    if (next.lease() != null && (before == null || before.lease() != next.lease())) {
      next.lease().aliases().forEach(alias -> aliases.put(alias, next.id()));
    }
    byId.put(next.id(), next);
    if (next.commands() != null && (before == null || before.commands() != next.commands())) {
      commanded.add(next.id());
    }
    if (byName.put(next.name(), next.id()) == null) {
      names(next.name().d()).incrementAndGet();
    }
    notify(change);
  }

  private void notify(Change change) {
    if (!topics.areWatched()) {
      return;
    }
    for (Fact fact : change.facts()) {
      if (fact.slot().startsWith(Slots.VALUE)) {
        topics.changed(topic(change.id(), fact.slot().substring(Slots.VALUE.length())));
      } else if (fact.slot().equals(Slots.COMMANDS) || fact.slot().equals(Slots.LEASE)) {
        topics.changed(topic(change.id()));
      }
    }
  }

  private void index(String id, KeyRing ring) {
    if (ring.state() == TrustState.TRUSTED) {
      idByKey.put(ring.jkt(), id);
    } else {
      // A key that is held here may be somebody's already.
      idByKey.putIfAbsent(ring.jkt(), id);
    }
    ring.previous().forEach(old -> idByKey.putIfAbsent(old.thumbprint(), id));
  }

  private void forget(Mirrored endpoint) {
    byId.remove(endpoint.id());
    if (byName.remove(endpoint.name()) != null) {
      names(endpoint.name().d()).decrementAndGet();
    }
    idByKey.values().removeIf(endpoint.id()::equals);
    aliases.values().removeIf(endpoint.id()::equals);
  }

  private void trust(String domain, Fact fact) {
    String slot = fact.slot();
    if (slot.startsWith(Slots.REVOKED)) {
      revoked.add(slot.substring(Slots.REVOKED.length()));
    } else if (slot.startsWith(Slots.LISTED)) {
      Map<String, ListedKey> keys = listed.computeIfAbsent(domain, d -> new ConcurrentHashMap<>());
      String jkt = slot.substring(Slots.LISTED.length());
      if (fact.isNone()) {
        keys.remove(jkt);
      } else {
        keys.put(jkt, ListedKey.read(jkt, fact.body()));
      }
    }
  }

  /** By its id, or by one it had before it was proven. */
  @Nullable Mirrored byId(String id) {
    Mirrored found = byId.get(id);
    if (found != null) {
      return found;
    }
    String real = aliases.get(id);
    return real == null ? null : byId.get(real);
  }

  @Nullable Mirrored byName(EndpointName name) {
    String id = byName.get(name);
    return id == null ? null : byId.get(id);
  }

  /** Whose key that is or was. */
  @Nullable Mirrored byKey(String jkt) {
    String id = idByKey.get(jkt);
    return id == null ? null : byId.get(id);
  }

  Collection<Mirrored> all() {
    return byId.values();
  }

  boolean hasRevoked() {
    return !revoked.isEmpty();
  }

  boolean isRevoked(String jkt) {
    return revoked.contains(jkt);
  }

  Set<String> revoked() {
    return Set.copyOf(revoked);
  }

  Map<String, ListedKey> listed(String domain) {
    return listed.getOrDefault(domain, Map.of());
  }

  Set<String> commanded() {
    return commanded;
  }

  /** To be called where nothing was seen to wait; what was queued meanwhile is not lost. */
  void forgetCommanded(String id) {
    commanded.remove(id);
    Mirrored known = byId.get(id);
    CommandQueue queue = known == null ? null : known.commands();
    if (queue != null && queue.nextExpiry() != Long.MAX_VALUE) {
      commanded.add(id);
    }
  }

  /** Names remembered in a domain, expired ones included. */
  long remembered(String domain) {
    return names(domain).get();
  }

  private AtomicLong names(String domain) {
    return namesByDomain.computeIfAbsent(domain, d -> new AtomicLong());
  }

  long position() {
    return position;
  }
}
