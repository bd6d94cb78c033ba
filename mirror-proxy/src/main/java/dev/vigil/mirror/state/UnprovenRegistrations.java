package dev.vigil.mirror.state;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import dev.vigil.mirror.limits.AbuseLimits;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plain registrations that await their first valid update (docs/protocol.md section 2). They are
 * kept only in memory and for at most ten minutes, so that an unproven registration leaves nothing
 * behind. Sources share the places of a domain by address, /64 and /48. Several keys may ask for
 * one name; the first key that is proven gets it.
 *
 * <p>Guarded by its monitor.
 */
public final class UnprovenRegistrations {
  static final long LIFETIME_SECONDS = 600;

  private final Map<String, UnprovenRegistration> byId = new LinkedHashMap<>();
  private final Map<String, Set<String>> idsByKey = new HashMap<>();
  private final Map<String, FairPool<String>.Place> places = new HashMap<>();

  /** By domain; a pool holds ids. */
  private final Map<PoolSize, FairPool<String>> pools = new HashMap<>();

  private final SecureRandom random;

  public UnprovenRegistrations(SecureRandom random) {
    this.random = random;
  }

  /**
   * Adds a registration, or renews the registration with the same name and key under the same id.
   *
   * @param high H of the name
   * @param now unix time in seconds
   * @throws RequestRefused 4.29 if there are too many and no source has more than its share; 4.01
   *     to an unverified source if unverified sources use half of the domain's capacity
   */
  public synchronized UnprovenRegistration add(
      RegistrationRequest request, Caller source, long high, long now) {
    removeExpired(now);
    UnprovenRegistration present = find(request);
    String id = present == null ? admitted(request.domain(), source) : present.id();
    long lifetime = Math.min(LIFETIME_SECONDS, request.lease().lifetime());
    UnprovenRegistration added =
        new UnprovenRegistration(id, request, source, high, now + lifetime);
    byId.put(id, added);
    idsByKey.computeIfAbsent(request.jkt(), jkt -> new LinkedHashSet<>()).add(id);
    return added;
  }

  private String admitted(Domain domain, Caller source) {
    requireCapacity(domain, source);
    String id = newId();
    FairPool<String>.Place place = pool(domain).admit(Source.of(source), id);
    if (place == null) {
      throw tooMany();
    }
    places.put(id, place);
    return id;
  }

  /** A domain whose limit was changed gets a new pool; the former pool becomes empty. */
  private record PoolSize(String domain, int total) {}

  private FairPool<String> pool(Domain domain) {
    int total = Math.max(1, domain.limits().unproven());
    return pools.computeIfAbsent(
        new PoolSize(domain.name(), total),
        size ->
            new FairPool<>(
                new FairPool.Bounds(total, Math.ceilDiv(total, 2), total), this::displaced));
  }

  /** Called by the pool within {@link #add}. */
  private void displaced(String id) {
    places.remove(id);
    forgetKey(byId.remove(id));
  }

  private void forgetKey(@Nullable UnprovenRegistration removed) {
    if (removed != null) {
      idsByKey.computeIfPresent(
          removed.request().jkt(),
          (jkt, ids) -> {
            ids.remove(removed.id());
            return ids.isEmpty() ? null : ids;
          });
    }
  }

  private String newId() {
    byte[] octets = new byte[6];
    random.nextBytes(octets);
    return "u-" + HexFormat.of().formatHex(octets);
  }

  public synchronized @Nullable UnprovenRegistration find(String id, long now) {
    UnprovenRegistration found = byId.get(id);
    return found == null || found.expires() <= now ? null : found;
  }

  public synchronized void remove(String id) {
    forgetKey(byId.remove(id));
    release(id);
  }

  private void release(String id) {
    FairPool<String>.Place place = places.remove(id);
    if (place != null) {
      place.release();
    }
  }

  public synchronized List<UnprovenRegistration> all(long now) {
    removeExpired(now);
    return List.copyOf(byId.values());
  }

  /** The registrations by the key with this thumbprint. */
  public synchronized List<UnprovenRegistration> withKey(String jkt, long now) {
    removeExpired(now);
    return idsByKey.getOrDefault(jkt, Set.of()).stream()
        .map(byId::get)
        .filter(Objects::nonNull)
        .toList();
  }

  private @Nullable UnprovenRegistration find(RegistrationRequest request) {
    for (String id : idsByKey.getOrDefault(request.jkt(), Set.of())) {
      UnprovenRegistration each = byId.get(id);
      if (each != null && each.request().name().equals(request.name())) {
        return each;
      }
    }
    return null;
  }

  private void removeExpired(long now) {
    byId.values()
        .removeIf(
            each -> {
              boolean expired = each.expires() <= now;
              if (expired) {
                release(each.id());
                forgetKey(each);
              }
              return expired;
            });
  }

  private void requireCapacity(Domain domain, Caller source) {
    int fromSource = 0;
    SourceAddress address = SourceAddress.of(source);
    for (UnprovenRegistration each : byId.values()) {
      if (each.request().domain().name().equals(domain.name())) {
        fromSource += SourceAddress.of(each.source()).equals(address) ? 1 : 0;
      }
    }
    if (domain.limits().unproven() == 0 || fromSource >= domain.limits().unprovenPerSource()) {
      throw tooMany();
    }
    FairPool<String> pool = pool(domain);
    int half = Math.ceilDiv(domain.limits().unproven(), 2);
    boolean full = pool.size() >= domain.limits().unproven();
    // A source whose address may be forged displaces nobody.
    if (!source.verified() && (full || pool.size(Source.Standing.UNVERIFIED) >= half)) {
      throw AbuseLimits.addressUnproven();
    }
  }

  private static RequestRefused tooMany() {
    return new RequestRefused(
        Reason.TOO_FAST, "too many registrations await proof", LIFETIME_SECONDS);
  }
}
