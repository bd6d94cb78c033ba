package dev.vigil.mirror;

import dev.vigil.mirror.jose.Jwk;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lists what there is: endpoints, keys, how full each domain is. */
final class Inventory {
  private final Memory memory;
  private final Unproven unproven;
  private final Map<String, Domain> domains;
  private final Views views;
  private final Clock clock;

  Inventory(
      Memory memory, Unproven unproven, Map<String, Domain> domains, Views views, Clock clock) {
    this.memory = memory;
    this.unproven = unproven;
    this.domains = domains;
    this.views = views;
    this.clock = clock;
  }

  /**
   * The first of those wanted, in the order of their places; only these are looked at in full.
   *
   * @param after null: from the first
   */
  List<EndpointView> endpoints(
      Predicate<EndpointPlace> wanted, @Nullable EndpointPlace after, int limit) {
    First<EndpointPlace> first = new First<>(EndpointPlace::compareTo, limit);
    Consumer<EndpointPlace> each =
        place -> {
          if ((after == null || place.compareTo(after) > 0) && wanted.test(place)) {
            first.offer(place);
          }
        };
    Collection<Unproven.Waiting> waiting = unproven.all(now());
    for (Mirrored known : memory.all()) {
      if (Views.isWhole(known)) {
        each.accept(place(known));
      }
    }
    waiting.forEach(one -> each.accept(place(one)));
    List<EndpointView> found = new ArrayList<>();
    first.inOrder().forEach(place -> add(found, place.id()));
    return found;
  }

  private static EndpointPlace place(Mirrored known) {
    return new EndpointPlace(known.name().d(), known.name().ep(), known.id());
  }

  private static EndpointPlace place(Unproven.Waiting waiting) {
    return new EndpointPlace(waiting.claim().name().d(), waiting.claim().name().ep(), waiting.id());
  }

  private void add(List<EndpointView> found, String id) {
    EndpointView view = endpoint(id);
    if (view != null) {
      found.add(view);
    }
  }

  @Nullable EndpointView endpoint(String id) {
    Mirrored known = memory.byId(id);
    if (known != null && Views.isWhole(known)) {
      return views.endpoint(known);
    }
    Unproven.Waiting waiting = unproven.get(id, now());
    return waiting == null ? null : views.unproven(waiting);
  }

  /**
   * The first of those wanted, in the order of their places.
   *
   * @param after null: from the first
   */
  List<KeyView> keys(Predicate<KeyView> wanted, @Nullable KeyPlace after, int limit) {
    First<KeyView> first = new First<>(Comparator.comparing(KeyPlace::of), limit);
    each(
        key -> {
          if ((after == null || KeyPlace.of(key).compareTo(after) > 0) && wanted.test(key)) {
            first.offer(key);
          }
        });
    return first.inOrder();
  }

  /** Keys of endpoints, present, asking and former, those listed, those revoked; in no order. */
  private void each(Consumer<KeyView> each) {
    Set<String> revoked = new TreeSet<>(memory.revoked());
    for (Mirrored known : memory.all()) {
      KeyRing ring = known.ring();
      if (ring != null) {
        each.accept(view(known, ring.key(), ring.state(), ring.note(), revoked));
        ring.previous()
            .forEach(old -> each.accept(view(known, old, TrustState.REPLACED, null, revoked)));
      }
      if (known.held() != null) {
        each.accept(held(known, known.held()));
      }
    }
    unproven.all(now()).forEach(waiting -> each.accept(unproven(waiting)));
    domains.keySet().forEach(domain -> listed(domain, each));
    revoked.forEach(
        jkt ->
            each.accept(new KeyView(jkt, null, null, null, "", TrustState.REVOKED, false, null)));
  }

  /** Takes what it shows out of {@code revoked}. */
  private static KeyView view(
      Mirrored known, Jwk key, TrustState state, @Nullable String note, Set<String> revoked) {
    String jkt = key.thumbprint();
    TrustState shown = revoked.remove(jkt) ? TrustState.REVOKED : state;
    return new KeyView(
        jkt, key.json(), known.id(), known.name().ep(), known.name().d(), shown, false, note);
  }

  private static KeyView held(Mirrored known, HeldKey held) {
    return new KeyView(
        held.key().thumbprint(),
        held.key().json(),
        known.id(),
        known.name().ep(),
        known.name().d(),
        TrustState.PENDING,
        true,
        held.why());
  }

  private static KeyView unproven(Unproven.Waiting waiting) {
    Claim claim = waiting.claim();
    return new KeyView(
        claim.jkt(),
        claim.key().json(),
        waiting.id(),
        claim.name().ep(),
        claim.name().d(),
        TrustState.UNPROVEN,
        false,
        null);
  }

  /** Those that no endpoint has used yet. */
  private void listed(String domain, Consumer<KeyView> each) {
    memory.listed(domain).values().stream()
        .filter(key -> memory.byKey(key.jkt()) == null && !memory.isRevoked(key.jkt()))
        .map(
            key ->
                new KeyView(
                    key.jkt(),
                    key.key() == null ? null : key.key().json(),
                    null,
                    key.ep(),
                    domain,
                    null,
                    false,
                    null))
        .forEach(each);
  }

  DomainUse use(String domain) {
    long[] counts = new long[3];
    for (Mirrored known : memory.all()) {
      if (known.name().d().equals(domain)) {
        KeyRing ring = known.ring();
        counts[0] += known.live(now()) ? 1 : 0;
        counts[1] += ring != null && ring.state() == TrustState.PENDING ? 1 : 0;
        counts[2] += known.held() == null ? 0 : 1;
      }
    }
    long waiting =
        unproven.all(now()).stream()
            .filter(one -> one.claim().domain().name().equals(domain))
            .count();
    return new DomainUse(
        memory.remembered(domain),
        counts[0],
        counts[1],
        counts[2],
        waiting,
        memory.listed(domain).size());
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
