package dev.vigil.coap.limits;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A network or an address in a {@link FairPool}, with the places held below it. Guarded by the
 * pool.
 *
 * @param <P> a place
 */
final class SourceNode<P> {
  final @Nullable SourceNode<P> parent;
  final SourcePrefix prefix;
  private final long id;
  final Map<SourcePrefix, SourceNode<P>> children = new HashMap<>();

  /** The children, the one with the highest count last. */
  final TreeSet<SourceNode<P>> byCount =
      new TreeSet<>(
          (a, b) ->
              a.count != b.count ? Integer.compare(a.count, b.count) : Long.compare(a.id, b.id));

  /** The places of an address, the longest idle first. */
  final TreeSet<P> places;

  /** The sum of the weights of the places at and below this node. */
  int count;

  SourceNode(
      @Nullable SourceNode<P> parent, SourcePrefix prefix, long id, Comparator<P> longestIdle) {
    this.parent = parent;
    this.prefix = prefix;
    this.id = id;
    this.places = new TreeSet<>(longestIdle);
  }
}
