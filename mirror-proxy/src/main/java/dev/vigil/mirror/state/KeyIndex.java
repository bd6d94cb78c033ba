package dev.vigil.mirror.state;

import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.signed.jose.Jwk;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ids of the endpoints that have, had or ask for a key, by the key's thumbprint.
 *
 * <p>One thread writes. Lists are immutable and replaced as a whole, so any thread can read without
 * a lock.
 */
final class KeyIndex {
  /** By present and former keys; an endpoint that trusts the key comes first. */
  private final Map<String, List<String>> owners = new ConcurrentHashMap<>();

  /** By keys that are held or were approved before they registered. */
  private final Map<String, List<String>> askers = new ConcurrentHashMap<>();

  /** The id of the endpoint that has or had the key. */
  @Nullable String owner(String jkt) {
    List<String> ids = owners.get(jkt);
    return ids == null ? null : ids.getFirst();
  }

  /** The ids of the endpoints that have, had or ask for the key. */
  Set<String> ids(String jkt) {
    Set<String> ids = new LinkedHashSet<>(owners.getOrDefault(jkt, List.of()));
    ids.addAll(askers.getOrDefault(jkt, List.of()));
    return ids;
  }

  /**
   * Applies a change of an endpoint.
   *
   * @param before null if the endpoint is new
   * @param next null if it was removed
   */
  void update(String id, @Nullable MirroredEndpoint before, @Nullable MirroredEndpoint next) {
    KeyHistory keysBefore = before == null ? null : before.keys();
    KeyHistory keys = next == null ? null : next.keys();
    if (keys != keysBefore) {
      replace(owners, id, owned(keysBefore), owned(keys));
      if (keys != null && keys.state() == TrustState.TRUSTED) {
        owners.compute(keys.jkt(), (jkt, ids) -> first(id, ids));
      }
    }
    replace(askers, id, asked(before), asked(next));
  }

  /**
   * The endpoint that trusts a key owns it, even if the key is pending at an endpoint where it came
   * first.
   */
  private static List<String> first(String id, @Nullable List<String> ids) {
    List<String> all = new ArrayList<>(ids == null ? List.of() : ids);
    all.remove(id);
    all.addFirst(id);
    return List.copyOf(all);
  }

  private static Set<String> owned(@Nullable KeyHistory keys) {
    Set<String> owned = new TreeSet<>();
    if (keys != null) {
      owned.add(keys.jkt());
      keys.previous().stream().map(Jwk::thumbprint).forEach(owned::add);
    }
    return owned;
  }

  private static Set<String> asked(@Nullable MirroredEndpoint endpoint) {
    if (endpoint == null || endpoint.held().isEmpty()) {
      return Set.of();
    }
    Set<String> asked = new TreeSet<>(endpoint.held().approved());
    endpoint.held().keys().forEach(held -> asked.add(held.jkt()));
    return asked;
  }

  private static void replace(
      Map<String, List<String>> index, String id, Set<String> before, Set<String> next) {
    for (String jkt : before) {
      if (!next.contains(jkt)) {
        remove(index, jkt, id);
      }
    }
    for (String jkt : next) {
      if (!before.contains(jkt)) {
        index.compute(jkt, (any, ids) -> last(id, ids));
      }
    }
  }

  private static List<String> last(String id, @Nullable List<String> ids) {
    List<String> all = new ArrayList<>(ids == null ? List.of() : ids);
    all.add(id);
    return List.copyOf(all);
  }

  private static void remove(Map<String, List<String>> index, String jkt, String id) {
    index.computeIfPresent(
        jkt,
        (any, ids) -> {
          List<String> others = ids.stream().filter(one -> !one.equals(id)).toList();
          return others.isEmpty() ? null : others;
        });
  }
}
