package dev.vigil.mirror.state;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.mirror.limits.AbuseLimits;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plain registrations that await their first valid update (docs/protocol.md section 2). They live
 * in memory only, at most an hour, bounded for each domain and source, so that one that is never
 * proven leaves nothing behind. Several keys may ask for one name; the first one proven gets it.
 *
 * <p>Guarded by its monitor.
 */
public final class UnprovenRegistrations {
  static final long LIFETIME_SECONDS = 3600;

  private final Map<String, UnprovenRegistration> byId = new LinkedHashMap<>();
  private final SecureRandom random;

  public UnprovenRegistrations(SecureRandom random) {
    this.random = random;
  }

  /**
   * Adds a registration, or renews the one with the same name and key under the same id.
   *
   * @param high H of the name
   * @param now unix time in seconds
   * @throws RequestRefused 4.29 when there are too many; 4.01 to an unverified source when
   *     unverified sources have half of the domain's capacity
   */
  public synchronized UnprovenRegistration add(
      RegistrationRequest request, Caller source, long high, long now) {
    removeExpired(now);
    UnprovenRegistration present = find(request);
    if (present == null) {
      requireCapacity(request.domain(), source);
    }
    String id = present == null ? newId() : present.id();
    long lifetime = Math.min(LIFETIME_SECONDS, request.lease().lifetime());
    UnprovenRegistration added =
        new UnprovenRegistration(id, request, source, high, now + lifetime);
    byId.put(id, added);
    return added;
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
    byId.remove(id);
  }

  public synchronized List<UnprovenRegistration> all(long now) {
    removeExpired(now);
    return List.copyOf(byId.values());
  }

  private @Nullable UnprovenRegistration find(RegistrationRequest request) {
    for (UnprovenRegistration each : byId.values()) {
      if (each.request().name().equals(request.name())
          && each.request().jkt().equals(request.jkt())) {
        return each;
      }
    }
    return null;
  }

  private void removeExpired(long now) {
    byId.values().removeIf(each -> each.expires() <= now);
  }

  private void requireCapacity(Domain domain, Caller source) {
    int inDomain = 0;
    int unverified = 0;
    int fromSource = 0;
    SourceAddress address = SourceAddress.of(source);
    for (UnprovenRegistration each : byId.values()) {
      if (each.request().domain().name().equals(domain.name())) {
        inDomain++;
        unverified += each.source().verified() ? 0 : 1;
        fromSource += SourceAddress.of(each.source()).equals(address) ? 1 : 0;
      }
    }
    if (inDomain >= domain.limits().unproven()
        || fromSource >= domain.limits().unprovenPerSource()) {
      throw new RequestRefused(
          Reason.TOO_FAST, "too many registrations await proof", LIFETIME_SECONDS);
    }
    if (!source.verified() && unverified >= Math.ceilDiv(domain.limits().unproven(), 2)) {
      throw AbuseLimits.addressUnproven();
    }
  }
}
