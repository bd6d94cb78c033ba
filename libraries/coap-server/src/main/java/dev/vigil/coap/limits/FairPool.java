package dev.vigil.coap.limits;

import dev.vigil.coap.limits.Source.Standing;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of places that sources share fairly. When all are taken, a newcomer displaces
 * the oldest idle place of the greediest source, as long as that source would still have no fewer
 * places than the newcomer. Fairness nests: first between /48 networks, then between /64 networks,
 * then between addresses, so that neither many addresses of one network nor many networks of one
 * site take the places of others.
 *
 * <p>Unverified sources have a part of the places; unverified and verified ones together leave a
 * reserve for authenticated ones. A place is never displaced by a newcomer of a lower standing.
 *
 * <p>Admitting and leaving take O(log n). All methods are safe for use by any number of threads.
 *
 * @param <T> the holder of a place
 */
public final class FairPool<T> {
  /**
   * Numbers of places.
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

  /** Which place of the greediest source a newcomer displaces. */
  public enum Leaving {
    /** The one that was idle longest, also of the newcomer's own address. */
    OLDEST,
    /** The last one admitted: who holds a place first keeps it against its own address. */
    NEWEST
  }

  /** A place that is held until it is released or displaced. */
  public final class Place {
    private final T holder;
    private final Standing standing;
    private final Node leaf;

    /** Position in the order of use; a higher one was used later. */
    private long used;

    private boolean held = true;

    private Place(T holder, Standing standing, Node leaf, long used) {
      this.holder = holder;
      this.standing = standing;
      this.leaf = leaf;
      this.used = used;
    }

    public T holder() {
      return holder;
    }

    /** Marks the place as in use now: idle places are displaced first. */
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

  /** A network or an address, with the places held below it. */
  private final class Node {
    final @Nullable Node parent;
    final SourcePrefix prefix;
    final long id = ++nodes;
    final Map<SourcePrefix, Node> children = new HashMap<>();

    /** The children, the one with most places last. */
    final TreeSet<Node> byCount =
        new TreeSet<>(
            (a, b) ->
                a.count != b.count ? Integer.compare(a.count, b.count) : Long.compare(a.id, b.id));

    /** The places of an address, the longest idle first. */
    final TreeSet<Place> places = new TreeSet<>((a, b) -> Long.compare(a.used, b.used));

    int count;

    Node(@Nullable Node parent, SourcePrefix prefix) {
      this.parent = parent;
      this.prefix = prefix;
    }
  }

  private static final SourcePrefix EVERYTHING = new SourcePrefix(0, 0, 0);

  private final Bounds bounds;
  private final Leaving leaving;
  private final Consumer<T> displaced;

  // Guarded by this object's lock.
  private final Map<Standing, Node> roots = new EnumMap<>(Standing.class);
  private long uses;
  private long nodes;

  /**
   * @param displaced told of each holder that loses its place, on the thread that admits, without
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
      roots.put(standing, new Node(null, EVERYTHING));
    }
  }

  /**
   * Takes a place for a holder.
   *
   * @return null when no place is free and no source has more than its fair share
   */
  public @Nullable Place admit(Source source, T holder) {
    Place place;
    Place victim;
    synchronized (this) {
      Standing from = mustLeave(source.standing());
      victim = from == null ? null : victim(from, source);
      if (from != null && victim == null) {
        return null;
      }
      if (victim != null) {
        remove(victim);
      }
      place = add(source, holder);
    }
    if (victim != null) {
      displaced.accept(victim.holder);
    }
    return place;
  }

  /** The number of places held. */
  public synchronized int size() {
    return roots.values().stream().mapToInt(root -> root.count).sum();
  }

  /** The number of places held by sources of a standing. */
  public synchronized int size(Standing standing) {
    return root(standing).count;
  }

  private Node root(Standing standing) {
    Node root = roots.get(standing);
    if (root == null) {
      throw new IllegalStateException("every standing has a root");
    }
    return root;
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

  private @Nullable Place victim(Standing from, Source newcomer) {
    Node node = root(from);
    if (node.count == 0) {
      return null;
    }
    if (from != newcomer.standing()) {
      return greediest(node);
    }
    for (SourcePrefix prefix : newcomer.prefixes()) {
      Node own = node.children.get(prefix);
      Node greedy = node.byCount.last();
      int mine = own == null ? 0 : own.count;
      if (greedy != own && greedy.count > mine + 1) {
        return greediest(greedy);
      }
      if (own == null) {
        return null;
      }
      node = own;
    }
    // The newcomer's own address: its longest idle place gives way, or the newcomer is the newest.
    return leaving == Leaving.OLDEST ? node.places.first() : null;
  }

  private Place greediest(Node node) {
    Node at = node;
    while (!at.byCount.isEmpty()) {
      at = at.byCount.last();
    }
    return leaving == Leaving.OLDEST ? at.places.first() : at.places.last();
  }

  private Place add(Source source, T holder) {
    Node node = root(source.standing());
    for (SourcePrefix prefix : source.prefixes()) {
      Node parent = node;
      node = parent.children.computeIfAbsent(prefix, key -> new Node(parent, key));
    }
    Place place = new Place(holder, source.standing(), node, ++uses);
    node.places.add(place);
    count(node, 1);
    return place;
  }

  private void remove(Place place) {
    place.held = false;
    place.leaf.places.remove(place);
    count(place.leaf, -1);
  }

  private void count(Node leaf, int by) {
    Node node = leaf;
    while (node != null) {
      Node parent = node.parent;
      if (parent != null) {
        parent.byCount.remove(node);
      }
      node.count += by;
      if (parent != null) {
        if (node.count > 0) {
          parent.byCount.add(node);
        } else {
          parent.children.remove(node.prefix);
        }
      }
      node = parent;
    }
  }
}
