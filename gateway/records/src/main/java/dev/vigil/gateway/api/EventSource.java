package dev.vigil.gateway.api;

import dev.vigil.store.Store;
import java.util.function.Consumer;

/** A feature whose changes the event stream carries in addition to changes of endpoints. */
@FunctionalInterface
public interface EventSource {
  /**
   * Calls a follower with the present state of everything that changed after a position, and then
   * with every change. The calls come from the store's feed thread or from a thread of the source.
   * The follower must not block.
   */
  Store.Subscription follow(long after, Consumer<FeatureEvent> follower);
}
