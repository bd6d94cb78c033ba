package dev.vigil.gateway.keys;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** Server-sent events about keys that arrive, wait, are decided or are listed. */
@Component
class KeyEvents implements EventSource {
  private final Store store;
  private final MirrorQueries mirror;

  KeyEvents(Store store, MirrorQueries mirror) {
    this.store = store;
    this.mirror = mirror;
  }

  /**
   * Data of "keys": all keys of one endpoint name; others are gone.
   *
   * @param endpoint id of the endpoint
   */
  record EndpointKeysJson(String endpoint, String ep, String d, List<KeyJson> keys) {}

  /** Data of "key-list": the listed or revoked keys of a domain changed. */
  record KeyListChangedJson(String d) {}

  @Override
  public Store.Subscription follow(long after, Consumer<FeatureEvent> follower) {
    return store.changes(after, change -> publish(change, follower));
  }

  /** Called on the feed's thread, after the mirror has applied the change. */
  private void publish(Change change, Consumer<FeatureEvent> follower) {
    String d = change.endpoint().d();
    if (change.endpoint().ep().equals(StoreSlots.TRUST)) {
      if (change.facts().stream().anyMatch(KeyEvents::isOfList)) {
        follower.accept(
            new FeatureEvent("key-list", d, d, change.position(), new KeyListChangedJson(d)));
      }
    } else if (!change.endpoint().isReserved()
        && (change.isAbout(StoreSlots.KEY) || change.isAbout(StoreSlots.HELD))) {
      List<KeyJson> keys = mirror.keysOf(change.id()).stream().map(KeyJson::of).toList();
      EndpointKeysJson data = new EndpointKeysJson(change.id(), change.endpoint().ep(), d, keys);
      follower.accept(new FeatureEvent("keys", change.id(), d, change.position(), data));
    }
  }

  private static boolean isOfList(Fact fact) {
    return fact.slot().startsWith(StoreSlots.LISTED) || fact.slot().startsWith(StoreSlots.REVOKED);
  }
}
