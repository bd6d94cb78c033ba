package dev.vigil.coap.limits;

import dev.vigil.coap.limits.Source.Standing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of places that sources share fairly. When all are taken, a newcomer displaces
 * the oldest idle place of the greediest source, as long as that source would still have no fewer
 * places than the newcomer. Fairness nests: first between /48 networks, then between /64 networks,
 * then between addresses. Neither many addresses of one network nor many networks of one site can
 * therefore take the places of others.
 *
 * <p>Unverified sources may take only some of the places. Unverified and verified sources together
 * leave a reserve for authenticated sources. A newcomer never displaces a place of higher standing.
 *
 * <p>A place weighs 1 unless its holder sets another weight; all counts are sums of weights.
 *
 * <p>Admitting and leaving take O(log n). All methods are safe for use by any number of threads.
 *
 * @param <T> the holder of a place
 */
public final class FairPool<T> {
  /**
   * Limits on the number of places.
   *
   * @param total in all
   * @param unverified at most, for unverified sources
   * @param unauthenticated at most, for unverified and verified sources together
   */
  public record Bounds(int total, int unverified, int unauthenticated) {
    public Bounds {
      if (unverified < 0 || unauthenticated < unverified || total < unauthenticated || total < 1) {
        throw new IllegalArgumentException(
            "bounds must rise: " + unverified + ", " + unauthenticated + ", " + total);
      }
    }
  }

  /** Selects the place of the greediest source that a newcomer displaces. */
  public enum Leaving {
    /** The place that was idle longest, possibly one of the newcomer's own address. */
    OLDEST,
    /**
     * The place admitted last; an earlier holder keeps its place against newcomers of its own
     * address.
     */
    NEWEST
  }

  /** A place that is held until it is released or displaced. */
  public final class Place {
    private final T holder;
    private final Standing standing;
    private final SourceNode<Place> leaf;
    private final int weight;

    /** Position in the order of use; a higher one was used later. */
    private long used;

    private boolean held = true;

    private Place(T holder, Standing standing, SourceNode<Place> leaf, int weight) {
      this.holder = holder;
      this.standing = standing;
      this.leaf = leaf;
      this.weight = weight;
      this.used = ++uses;
    }

    public T holder() {
      return holder;
    }

    /** Marks the place as in use now; idle places are displaced first. */
    public void touch() {
      synchronized (FairPool.this) {
        if (held) {
          leaf.places.remove(this);
          used = ++uses;
          leaf.places.add(this);
        }
      }
    }

    /** Gives the place back; releasing a place that is no longer held does nothing. */
    public void release() {
      synchronized (FairPool.this) {
        if (held) {
          remove(this);
        }
      }
    }
  }

  /** Estimated memory of a network or an address with its tables, and of a place. */
  private static final int NODE_OCTETS = 330;

  private static final int PLACE_OCTETS = 96;

  private static final SourcePrefix EVERYTHING = new SourcePrefix(0, 0, 0);

  private final Bounds bounds;
  private final Leaving leaving;
  private final Consumer<T> displaced;

  // Guarded by this object's lock.
  private final Map<Standing, SourceNode<Place>> roots = new EnumMap<>(Standing.class);
  private long uses;
  private long nodes;

  /** The number of networks and addresses that hold places. */
  private int alive;

  private int places;

  /**
   * @param displaced called with each holder that loses its place, on the admitting thread, without
   *     the pool's lock
   */
  public FairPool(Bounds bounds, Consumer<T> displaced) {
    this(bounds, Leaving.OLDEST, displaced);
  }

  /**
   * @param displaced as above
   */
  public FairPool(Bounds bounds, Leaving leaving, Consumer<T> displaced) {
    this.bounds = bounds;
    this.leaving = leaving;
    this.displaced = displaced;
    for (Standing standing : Standing.values()) {
      roots.put(standing, newNode(null, EVERYTHING));
    }
  }

  /**
   * Takes a place for a holder.
   *
   * @return null if no place is free and no source has more than its fair share
   */
  public @Nullable Place admit(Source source, T holder) {
    Place place;
    Place victim;
    synchronized (this) {
      Standing from = mustLeave(source.standing());
      victim = from == null ? null : victim(from, source, 1, true);
      if (from != null && victim == null) {
        return null;
      }
      if (victim != null) {
        remove(victim);
      }
      place = add(source, holder, 1);
    }
    if (victim != null) {
      displaced.accept(victim.holder);
    }
    return place;
  }

  /**
   * Takes a place for something that exists already, such as a stored entry, even beyond the
   * bounds.
   *
   * @param weight at least 1
   */
  public synchronized Place hold(Source source, T holder, int weight) {
    return add(source, holder, weight);
  }

  /**
   * Selects the holder that gives way to a newcomer when a resource other than the number of places
   * is used up. This is the holder of the greediest source that was idle longest. Nothing is
   * released.
   *
   * <p>An unverified newcomer displaces nobody. A verified newcomer displaces a source that has
   * more than the newcomer would have; all unverified sources count as one, because addresses can
   * be forged. An authenticated newcomer displaces any source of lower standing.
   *
   * @param weight of the place that the newcomer asks for
   * @return null if nobody has to give way
   */
  public synchronized @Nullable T greediest(Source newcomer, int weight) {
    return switch (newcomer.standing()) {
      case UNVERIFIED -> null;
      case VERIFIED -> greediestForVerified(newcomer, weight);
      case AUTHENTICATED -> greediestBelow(Standing.AUTHENTICATED);
    };
  }

  private @Nullable T greediestForVerified(Source newcomer, int weight) {
    SourceNode<Place> unverified = root(Standing.UNVERIFIED);
    SourceNode<Place> verified = root(Standing.VERIFIED);
    SourceNode<Place> own = verified.children.get(newcomer.prefixes().getFirst());
    int mine = own == null ? 0 : own.count;
    int most = verified.count == 0 ? 0 : verified.byCount.last().count;
    if (unverified.count >= most && unverified.count > mine + weight) {
      return greediest(unverified).holder;
    }
    Place victim = victim(Standing.VERIFIED, newcomer, weight, false);
    return victim == null ? null : victim.holder;
  }

  /** The longest idle holder of the greediest source below a standing; null if there is none. */
  public synchronized @Nullable T greediestBelow(Standing standing) {
    Standing lowest = lowestHeld(standing);
    return lowest == standing ? null : greediest(root(lowest)).holder;
  }

  /** An estimate of the memory of all places, in octets. */
  public synchronized long octets() {
    return (long) NODE_OCTETS * alive + (long) PLACE_OCTETS * places;
  }

  /**
   * Takes back places of the greediest sources that are not authenticated, starting with unverified
   * sources.
   *
   * @param number how many places to take; fewer if fewer are held
   */
  public void displaceGreediest(int number) {
    List<Place> victims = new ArrayList<>();
    synchronized (this) {
      for (Standing standing : List.of(Standing.UNVERIFIED, Standing.VERIFIED)) {
        SourceNode<Place> root = root(standing);
        while (victims.size() < number && root.count > 0) {
          Place victim = greediest(root);
          remove(victim);
          victims.add(victim);
        }
      }
    }
    victims.forEach(victim -> displaced.accept(victim.holder));
  }

  /** The number of places held. */
  public synchronized int size() {
    return roots.values().stream().mapToInt(root -> root.count).sum();
  }

  /** The number of places held by sources with a given standing. */
  public synchronized int size(Standing standing) {
    return root(standing).count;
  }

  /** The number of places held by sources with a source's standing in its widest network. */
  public synchronized int networkSize(Source source) {
    SourceNode<Place> network = root(source.standing()).children.get(source.prefixes().getFirst());
    return network == null ? 0 : network.count;
  }

  private SourceNode<Place> root(Standing standing) {
    SourceNode<Place> root = roots.get(standing);
    if (root == null) {
      throw new IllegalStateException("every standing has a root");
    }
    return root;
  }

  private SourceNode<Place> newNode(@Nullable SourceNode<Place> parent, SourcePrefix prefix) {
    return new SourceNode<>(parent, prefix, ++nodes, (a, b) -> Long.compare(a.used, b.used));
  }

  /** The standing that has to give up a place for a newcomer; null while there is room. */
  private @Nullable Standing mustLeave(Standing newcomer) {
    int unverified = root(Standing.UNVERIFIED).count;
    int unauthenticated = unverified + root(Standing.VERIFIED).count;
    Standing lowest = lowestHeld(newcomer);
    return switch (newcomer) {
      case UNVERIFIED ->
          unverified >= bounds.unverified || unauthenticated >= bounds.unauthenticated || isFull()
              ? Standing.UNVERIFIED
              : null;
      case VERIFIED -> unauthenticated >= bounds.unauthenticated || isFull() ? lowest : null;
      case AUTHENTICATED -> isFull() ? lowest : null;
    };
  }

  private boolean isFull() {
    return size() >= bounds.total;
  }

  private Standing lowestHeld(Standing newcomer) {
    for (Standing standing : Standing.values()) {
      if (standing == newcomer || root(standing).count > 0) {
        return standing;
      }
    }
    return newcomer;
  }

  /**
   * @param orOwn whether the newcomer's own longest idle place gives way if no other source is
   *     greedier
   */
  private @Nullable Place victim(Standing from, Source newcomer, int weight, boolean orOwn) {
    SourceNode<Place> node = root(from);
    if (node.count == 0) {
      return null;
    }
    if (from != newcomer.standing()) {
      return greediest(node);
    }
    for (SourcePrefix prefix : newcomer.prefixes()) {
      SourceNode<Place> own = node.children.get(prefix);
      SourceNode<Place> greedy = node.byCount.last();
      int mine = own == null ? 0 : own.count;
      if (greedy != own && greedy.count > mine + weight) {
        return greediest(greedy);
      }
      if (own == null) {
        return null;
      }
      node = own;
    }
    // At the newcomer's own address its longest idle place gives way; if the newest has to leave,
    // that is the newcomer.
    return orOwn && leaving == Leaving.OLDEST ? node.places.first() : null;
  }

  private Place greediest(SourceNode<Place> node) {
    SourceNode<Place> at = node;
    while (!at.byCount.isEmpty()) {
      at = at.byCount.last();
    }
    return leaving == Leaving.OLDEST ? at.places.first() : at.places.last();
  }

  private Place add(Source source, T holder, int weight) {
    SourceNode<Place> node = root(source.standing());
    for (SourcePrefix prefix : source.prefixes()) {
      SourceNode<Place> parent = node;
      node = parent.children.computeIfAbsent(prefix, key -> newNode(parent, key));
      alive += node.count == 0 ? 1 : 0;
    }
    Place place = new Place(holder, source.standing(), node, weight);
    node.places.add(place);
    places++;
    count(node, weight);
    return place;
  }

  private void remove(Place place) {
    place.held = false;
    place.leaf.places.remove(place);
    places--;
    count(place.leaf, -place.weight);
  }

  private void count(SourceNode<Place> leaf, int by) {
    SourceNode<Place> node = leaf;
    while (node != null) {
      SourceNode<Place> parent = node.parent;
      if (parent != null) {
        parent.byCount.remove(node);
      }
      node.count += by;
      if (parent != null) {
        if (node.count > 0) {
          parent.byCount.add(node);
        } else {
          parent.children.remove(node.prefix);
          alive--;
        }
      }
      node = parent;
    }
  }
}
