package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.kinds.KeysWaiting;
import dev.vigil.mirror.read.Presence;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The domains in which keys wait, updated by the evaluation of endpoints. Used by one thread. */
@Component
final class DomainsWithWaitingKeys implements KeysWaiting.Source {
  /** Ids of the endpoints with keys waiting for their names, by domain. */
  private final Map<String, Set<String>> endpoints = new HashMap<>();

  /** The domain of each of these endpoints. */
  private final Map<String, String> domainOf = new HashMap<>();

  /** Forgets all endpoints, before all of them are evaluated again. */
  void clear() {
    endpoints.clear();
    domainOf.clear();
  }

  /**
   * @param presence of the endpoint with that id; null: there is none
   */
  void update(String id, @Nullable Presence presence) {
    String former = domainOf.remove(id);
    if (former != null) {
      endpoints.computeIfPresent(
          former,
          (d, ids) -> {
            ids.remove(id);
            return ids.isEmpty() ? null : ids;
          });
    }
    if (presence != null && presence.keysWait()) {
      domainOf.put(id, presence.d());
      endpoints.computeIfAbsent(presence.d(), d -> new HashSet<>()).add(id);
    }
  }

  @Override
  public Set<String> domains() {
    return Set.copyOf(endpoints.keySet());
  }
}
