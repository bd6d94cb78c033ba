package dev.vigil.mirror.read;

import dev.vigil.mirror.model.keys.TrustState;
import java.util.EnumMap;
import java.util.Map;

/**
 * The numbers of endpoints and keys at one moment.
 *
 * @param endpoints by the trust state of their keys and by freshness; endpoints that withdrew are
 *     not counted
 * @param keys by state, including former keys and keys that wait for the name of another key
 * @param listed imported keys
 */
public record Census(
    Map<TrustState, Map<Freshness, Long>> endpoints, Map<TrustState, Long> keys, long listed) {
  public long endpoints(TrustState trust, Freshness freshness) {
    return endpoints.getOrDefault(trust, Map.of()).getOrDefault(freshness, 0L);
  }

  public long keys(TrustState state) {
    return keys.getOrDefault(state, 0L);
  }

  /** Counts endpoints and keys one by one; used by one thread. */
  static final class Tally {
    private final Map<TrustState, Map<Freshness, Long>> endpoints = new EnumMap<>(TrustState.class);
    private final Map<TrustState, Long> keys = new EnumMap<>(TrustState.class);

    void addEndpoint(TrustState trust, Freshness freshness) {
      endpoints
          .computeIfAbsent(trust, any -> new EnumMap<>(Freshness.class))
          .merge(freshness, 1L, Long::sum);
    }

    void addKeys(TrustState state, long number) {
      keys.merge(state, number, Long::sum);
    }

    Census census(long listed) {
      return new Census(endpoints, keys, listed);
    }
  }
}
