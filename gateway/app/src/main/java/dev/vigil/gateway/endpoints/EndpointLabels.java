package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The labels of endpoints. They are kept under the ids of their endpoints and forgotten with them:
 * an endpoint of the same name that comes later is another one.
 */
@Component
class EndpointLabels implements EventSource, DisposableBean {
  private final RecordSet<EndpointLabel> stored;
  private final MirrorQueries mirror;
  private final MeshAddresses mesh;
  private final Set<String> labelled = ConcurrentHashMap.newKeySet();
  private final Store.Subscription following;

  EndpointLabels(Records records, MirrorQueries mirror, MeshAddresses mesh, Store store) {
    this.stored = records.of(EndpointLabel.KIND, EndpointLabel.class, EndpointLabel.MAX);
    this.mirror = mirror;
    this.mesh = mesh;
    stored.onChange(this::index);
    this.following = store.changes(mirror.position(), this::forgetRemoved);
    stored.all().forEach(label -> forgetUnlessKnown(label.id()));
  }

  private void index(RecordChange<EndpointLabel> change) {
    if (change.after() == null) {
      labelled.remove(change.id());
    } else {
      labelled.add(change.id());
    }
  }

  /** Called on the feed's thread, after the mirror has applied the change. */
  private void forgetRemoved(Change change) {
    if (labelled.contains(change.id())) {
      forgetUnlessKnown(change.id());
    }
  }

  private void forgetUnlessKnown(String id) {
    if (mirror.presence(id).isEmpty()) {
      stored.remove(id, OptionalLong.empty(), Audit.UNRECORDED);
    }
  }

  /** The label of an endpoint. */
  Optional<Versioned<EndpointLabel>> get(String id) {
    return stored.get(id);
  }

  boolean contains(String id, String lowerCaseText) {
    return stored.get(id).map(label -> label.value().contains(lowerCaseText)).orElse(false);
  }

  CompletableFuture<Outcome> put(String id, EndpointLabel label, OptionalLong version, String by) {
    return stored.put(id, label, version, new Audit(by, "labelled " + label.ep(), label.d()));
  }

  CompletableFuture<Outcome> remove(
      Versioned<EndpointLabel> label, OptionalLong version, String by) {
    EndpointLabel value = label.value();
    return stored.remove(
        label.id(), version, new Audit(by, "removed the label of " + value.ep(), value.d()));
  }

  @Override
  public Store.Subscription follow(long after, Consumer<FeatureEvent> follower) {
    return stored.onChange(
        change -> {
          if (change.position() > after) {
            publish(change, follower);
          }
        });
  }

  private void publish(RecordChange<EndpointLabel> change, Consumer<FeatureEvent> follower) {
    @Nullable Versioned<EndpointLabel> one =
        change.after() == null ? change.before() : change.after();
    if (one != null) {
      mirror
          .endpoint(change.id())
          .ifPresent(
              view ->
                  follower.accept(
                      new FeatureEvent(
                          "endpoint",
                          change.id(),
                          one.value().d(),
                          change.position(),
                          EndpointJson.of(view, mirror, this, mesh))));
    }
  }

  @Override
  public void destroy() {
    following.close();
  }
}
