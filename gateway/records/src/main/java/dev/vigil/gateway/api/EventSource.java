package dev.vigil.gateway.api;

import dev.vigil.store.Store;
import java.util.function.Consumer;

/** A feature whose changes the event stream carries in addition to changes of endpoints. */
@FunctionalInterface
public interface EventSource {
  /**
   * Calls a follower with the present state of everything that changed after a position, and then
   * with every change, on the store's feed thread or the source's own. It must not block.
   */
  Store.Subscription follow(long after, Consumer<FeatureEvent> follower);
}
