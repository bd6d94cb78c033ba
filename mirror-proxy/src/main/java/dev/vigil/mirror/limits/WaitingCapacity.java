package dev.vigil.mirror.limits;

import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.FairPool.Bounds;
import dev.vigil.coap.limits.FairPool.Leaving;
import dev.vigil.coap.limits.Source;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.store.EndpointName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of all keys that wait for an operator's decision. Their number depends on the size of
 * the heap and on the free disk space. Sources share the places. When all are taken, the newest key
 * of the greediest source gives way to a newcomer from another source; older keys stay.
 *
 * <p>A place holds {@link #PLACE_OCTETS} of a stored registration; a large registration takes
 * several. The places follow the mirror's state. Between its decision and its commit, a
 * registration holds reserved places. Guarded by its monitor.
 */
public final class WaitingCapacity {
  /** Stored octets of a registration that take one place. */
  private static final int PLACE_OCTETS = 2048;

  /** Maximum octets of heap and disk that a place costs, with objects, rows and indexes. */
  private static final long HEAP_PER_PLACE = 6 * 1024;

  private static final long DISK_PER_PLACE = 12 * 1024;

  /** Waiting keys may take one part in this number of heap and free disk. */
  private static final long PART = 32;

  private static final int MIN_PLACES = 16;
  private static final int MAX_PLACES = 1 << 16;

  /** A key that waits for a name. */
  public record Waiting(EndpointName name, String jkt) {}

  /**
   * The places of a waiting key.
   *
   * @param source that the key last arrived from
   */
  private record Share(Source source, List<FairPool<Waiting>.Place> places) {}

  private final FairPool<Waiting> pool;
  private final Map<Waiting, Share> shares = new HashMap<>();

  /** The waiting keys by name, to find the keys that left after a change of an endpoint. */
  private final Map<EndpointName, List<Waiting>> byName = new HashMap<>();

  private final List<Waiting> displaced = new ArrayList<>();

  public WaitingCapacity(int total) {
    this.pool = new FairPool<>(new Bounds(total, total, total), Leaving.NEWEST, displaced::add);
  }

  /**
   * The number of places for a heap and a disk.
   *
   * @param heapOctets the maximum heap
   * @param diskOctets the free space of the data folder
   */
  public static int places(long heapOctets, long diskOctets) {
    long places = Math.min(heapOctets / PART / HEAP_PER_PLACE, diskOctets / PART / DISK_PER_PLACE);
    return Math.clamp(places, MIN_PLACES, MAX_PLACES);
  }

  /**
   * Reserves places for a registration that has to wait, unless it already has them.
   *
   * @return false if there are none for its source
   */
  public synchronized boolean reserve(EndpointName name, String jkt, Lease lease, KeyArrival from) {
    return take(new Waiting(name, jkt), lease, from);
  }

  /**
   * Adapts the places to an endpoint's present state: releases the places of keys that no longer
   * wait, and takes places for keys that do.
   *
   * @param endpoint null if there is none
   */
  public synchronized void follow(EndpointName name, @Nullable MirroredEndpoint endpoint) {
    Map<String, Runnable> wanted = new HashMap<>();
    KeyHistory keys = endpoint == null ? null : endpoint.keys();
    Lease lease = endpoint == null ? null : endpoint.lease();
    if (keys != null && lease != null && keys.state() == TrustState.PENDING) {
      wanted.put(keys.jkt(), () -> takeOrLeave(name, keys.jkt(), lease, keys.arrival()));
    }
    for (HeldKey held : endpoint == null ? List.<HeldKey>of() : endpoint.held().keys()) {
      wanted.put(held.jkt(), () -> takeOrLeave(name, held.jkt(), held.lease(), held.arrival()));
    }
    releaseOthers(name, wanted.keySet());
    wanted.values().forEach(Runnable::run);
  }

  private void takeOrLeave(
      EndpointName name, String jkt, Lease lease, @Nullable KeyArrival arrival) {
    Waiting waiting = new Waiting(name, jkt);
    if (!take(waiting, lease, arrival)) {
      displaced.add(waiting);
    }
  }

  private boolean take(Waiting waiting, Lease lease, @Nullable KeyArrival arrival) {
    Source source = WaitingSource.of(arrival);
    Share held = shares.get(waiting);
    List<FairPool<Waiting>.Place> taken = new ArrayList<>(held == null ? List.of() : held.places());
    int heldBefore = taken.size();
    int displacedBefore = displaced.size();
    // The stored registration contains the links twice: as text, and in its JWS as base64url.
    long needed = 1 + lease.links().length() * 7L / 3 / PLACE_OCTETS;
    while (taken.size() < needed) {
      FairPool<Waiting>.Place place = pool.admit(source, waiting);
      if (place == null) {
        taken.subList(heldBefore, taken.size()).forEach(FairPool.Place::release);
        restore(displaced.subList(displacedBefore, displaced.size()));
        return false;
      }
      taken.add(place);
    }
    if (held == null) {
      byName.computeIfAbsent(waiting.name(), name -> new ArrayList<>()).add(waiting);
    }
    shares.put(waiting, new Share(source, taken));
    displaced.forEach(this::release);
    return true;
  }

  /**
   * Gives displaced keys their places again. The newest key was displaced first; restored last, it
   * is again the first to give way.
   *
   * @param lost a key for each place that it lost; emptied
   */
  private void restore(List<Waiting> lost) {
    for (Waiting waiting : new LinkedHashSet<>(lost.reversed())) {
      Share share = shares.get(waiting);
      if (share != null) {
        share.places().forEach(FairPool.Place::release);
        share.places().replaceAll(place -> pool.hold(share.source(), waiting, 1));
      }
    }
    lost.clear();
  }

  private void releaseOthers(EndpointName name, Set<String> kept) {
    List.copyOf(byName.getOrDefault(name, List.of())).stream()
        .filter(waiting -> !kept.contains(waiting.jkt()))
        .forEach(this::release);
  }

  private void release(Waiting waiting) {
    Share held = shares.remove(waiting);
    if (held != null) {
      held.places().forEach(FairPool.Place::release);
    }
    byName.computeIfPresent(
        waiting.name(),
        (name, all) -> {
          all.remove(waiting);
          return all.isEmpty() ? null : all;
        });
  }

  /** The keys that lost their places since the last call; they must be removed from the store. */
  public synchronized List<Waiting> takeDisplaced() {
    List<Waiting> left = displaced.stream().filter(each -> !shares.containsKey(each)).toList();
    displaced.clear();
    return left;
  }

  /** Returns a key that could not be removed from the store now, for a later attempt. */
  public synchronized void displaceAgain(Waiting waiting) {
    displaced.add(waiting);
  }

  /** The number of places taken. */
  public int size() {
    return pool.size();
  }
}
