package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.labels.EndpointRecords;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.tags.EndpointTags;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The labels of endpoints, and the events about changes of labels and tags. */
@Component
class EndpointLabels implements EventSource, DisposableBean {
  private final EndpointRecords<EndpointLabel> stored;
  private final TaggedEndpoints tagged;
  private final MirrorQueries mirror;
  private final MeshAddresses mesh;

  EndpointLabels(
      Records records,
      TaggedEndpoints tagged,
      MirrorQueries mirror,
      MeshAddresses mesh,
      Store store) {
    this.stored =
        new EndpointRecords<>(
            records.of(EndpointLabel.KIND, EndpointLabel.class, EndpointLabel.MAX), mirror, store);
    this.tagged = tagged;
    this.mirror = mirror;
    this.mesh = mesh;
  }

  /** The label of an endpoint. */
  Optional<Versioned<EndpointLabel>> get(String id) {
    return stored.get(id);
  }

  /** The tags of an endpoint in alphabetical order. */
  List<String> tags(String id) {
    return tagged.of(id);
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
    Store.Subscription ofTags =
        tagged.onChange(change -> publish(change, EndpointTags::d, after, follower));
    Store.Subscription ofLabels =
        stored.onChange(change -> publish(change, EndpointLabel::d, after, follower));
    return () -> {
      ofTags.close();
      ofLabels.close();
    };
  }

  private <T> void publish(
      RecordChange<T> change,
      Function<T, String> domain,
      long after,
      Consumer<FeatureEvent> follower) {
    @Nullable Versioned<T> one = change.after() == null ? change.before() : change.after();
    if (one != null && change.position() > after) {
      mirror
          .endpoint(change.id())
          .ifPresent(
              view ->
                  follower.accept(
                      new FeatureEvent(
                          "endpoint",
                          change.id(),
                          domain.apply(one.value()),
                          change.position(),
                          EndpointJson.of(view, mirror, this, mesh))));
    }
  }

  @Override
  public void destroy() {
    stored.close();
  }
}
