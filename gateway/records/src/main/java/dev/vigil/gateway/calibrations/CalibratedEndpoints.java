package dev.vigil.gateway.calibrations;

import dev.vigil.gateway.labels.EndpointRecords;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import dev.vigil.store.Store;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The calibrations of all endpoints. Thread-safe. */
@Component
public final class CalibratedEndpoints implements DisposableBean {
  private final EndpointRecords<EndpointCalibrations> stored;

  public CalibratedEndpoints(Records records, MirrorQueries mirror, Store store) {
    this.stored =
        new EndpointRecords<>(
            records.of(
                EndpointCalibrations.KIND, EndpointCalibrations.class, EndpointCalibrations.MAX),
            mirror,
            store);
  }

  /** The calibrations of an endpoint. */
  public List<Calibration> of(String id) {
    return stored.get(id).map(found -> found.value().calibrations()).orElse(List.of());
  }

  /**
   * The calibration of a measured name; null without one. A calibration of the name takes
   * precedence over one of the whole resource.
   */
  public @Nullable Calibration of(String id, String path, String measured) {
    return of(id).stream()
        .filter(one -> one.appliesTo(path, measured))
        .min(Comparator.comparing((Calibration one) -> one.name() == null))
        .orElse(null);
  }

  Optional<Versioned<EndpointCalibrations>> get(String id) {
    return stored.get(id);
  }

  /**
   * Replaces the calibrations of an endpoint.
   *
   * @param version of the calibrations that the change is based on; 0: none; empty: any
   * @param by label of the caller
   */
  CompletableFuture<Outcome> put(
      Presence endpoint, List<Calibration> calibrations, OptionalLong version, String by) {
    Audit audit = new Audit(by, "calibrated " + endpoint.ep(), endpoint.d());
    if (!calibrations.isEmpty()) {
      return stored.put(
          endpoint.id(),
          new EndpointCalibrations(endpoint.d(), endpoint.ep(), calibrations),
          version,
          audit);
    }
    if (get(endpoint.id()).isEmpty() && version.orElse(0) == 0) {
      return CompletableFuture.completedFuture(new Outcome.Done(0));
    }
    return stored.remove(endpoint.id(), version, audit);
  }

  /**
   * Calls a listener with all present calibrations and then with every change, as {@link
   * EndpointRecords#onChange} does.
   */
  public Store.Subscription onChange(Consumer<RecordChange<EndpointCalibrations>> listener) {
    return stored.onChange(listener);
  }

  @Override
  public void destroy() {
    stored.close();
  }
}
