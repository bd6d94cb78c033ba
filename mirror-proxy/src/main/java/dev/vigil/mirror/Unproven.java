package dev.vigil.mirror;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.SourceAddress;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plain registrations that wait for their first valid update. They live here only, at most an hour,
 * bounded per domain and per source in it: what is never proven leaves nothing behind. Several keys
 * may ask for one name; the first to prove itself has it.
 */
final class Unproven {
  static final long LIFETIME_SECONDS = 3600;

  private final Map<String, Waiting> byId = new LinkedHashMap<>();
  private final SecureRandom random;

  /**
   * @param source who sent it
   * @param high H of the name when it registered
   * @param until unix time in seconds
   */
  record Waiting(String id, Claim claim, Caller source, long high, long until) {}

  Unproven(SecureRandom random) {
    this.random = random;
  }

  /**
   * Takes a registration, or renews it: same name and key, same id.
   *
   * @throws Rejection 4.29 when there are too many; 4.01 to an unverified source when such ones
   *     have half of the places
   */
  synchronized Waiting add(Claim claim, Caller source, long high, long now) {
    expire(now);
    Waiting known = find(claim);
    if (known == null) {
      requireRoom(claim.domain(), source);
    }
    byte[] octets = new byte[6];
    random.nextBytes(octets);
    String id = known == null ? "u-" + HexFormat.of().formatHex(octets) : known.id();
    long lifetime = Math.min(LIFETIME_SECONDS, claim.lease().lifetime());
    Waiting waiting = new Waiting(id, claim, source, high, now + lifetime);
    byId.put(id, waiting);
    return waiting;
  }

  synchronized @Nullable Waiting get(String id, long now) {
    Waiting waiting = byId.get(id);
    return waiting == null || waiting.until() <= now ? null : waiting;
  }

  synchronized void remove(String id) {
    byId.remove(id);
  }

  synchronized List<Waiting> all(long now) {
    expire(now);
    return List.copyOf(byId.values());
  }

  private @Nullable Waiting find(Claim claim) {
    for (Waiting waiting : byId.values()) {
      if (waiting.claim().name().equals(claim.name())
          && waiting.claim().jkt().equals(claim.jkt())) {
        return waiting;
      }
    }
    return null;
  }

  private void expire(long now) {
    for (Iterator<Waiting> each = byId.values().iterator(); each.hasNext(); ) {
      if (each.next().until() <= now) {
        each.remove();
      }
    }
  }

  private void requireRoom(Domain domain, Caller source) {
    int inDomain = 0;
    int ofStrangers = 0;
    int fromSource = 0;
    SourceAddress address = SourceAddress.of(source);
    for (Waiting waiting : byId.values()) {
      if (waiting.claim().domain().name().equals(domain.name())) {
        inDomain++;
        ofStrangers += waiting.source().verified() ? 0 : 1;
        fromSource += SourceAddress.of(waiting.source()).equals(address) ? 1 : 0;
      }
    }
    if (inDomain >= domain.limits().unproven()
        || fromSource >= domain.limits().unprovenPerSource()) {
      throw new Rejection(
          Reason.TOO_FAST, "too many registrations wait for proof", LIFETIME_SECONDS);
    }
    if (!source.verified() && ofStrangers >= Math.ceilDiv(domain.limits().unproven(), 2)) {
      throw Sources.unshown();
    }
  }
}
