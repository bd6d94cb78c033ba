package dev.vigil.gateway.labels;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The labels of all endpoints. Thread-safe. */
@Component
public final class LabelledEndpoints implements DisposableBean {
  private final EndpointRecords<EndpointLabel> stored;

  public LabelledEndpoints(Records records, MirrorQueries mirror, Store store) {
    this.stored =
        new EndpointRecords<>(
            records.of(EndpointLabel.KIND, EndpointLabel.class, EndpointLabel.MAX), mirror, store);
  }

  /** The label of an endpoint. */
  public Optional<Versioned<EndpointLabel>> get(String id) {
    return stored.get(id);
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

  /**
   * Calls a listener with all present labels and then with every change, as {@link
   * EndpointRecords#onChange} does.
   */
  public Store.Subscription onChange(Consumer<RecordChange<EndpointLabel>> listener) {
    return stored.onChange(listener);
  }

  @Override
  public void destroy() {
    stored.close();
  }
}
