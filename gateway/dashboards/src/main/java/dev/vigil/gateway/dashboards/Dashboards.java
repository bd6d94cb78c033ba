package dev.vigil.gateway.dashboards;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** The stored dashboards. Thread-safe. */
@Component
public final class Dashboards {
  private static final int MAX = 200;

  private final RecordSet<Dashboard> stored;

  public Dashboards(Records records) {
    this.stored = records.of("dashboard", Dashboard.class, MAX);
  }

  public List<Versioned<Dashboard>> all() {
    return stored.all();
  }

  public Optional<Versioned<Dashboard>> get(String id) {
    return stored.get(id);
  }

  CompletableFuture<Outcome> put(String id, Dashboard dashboard, OptionalLong version, String by) {
    String verb = stored.get(id).isPresent() ? "changed" : "made";
    return stored.put(id, dashboard, version, audit(by, verb, id, dashboard));
  }

  CompletableFuture<Outcome> remove(
      Versioned<Dashboard> dashboard, OptionalLong version, String by) {
    return stored.remove(
        dashboard.id(), version, audit(by, "removed", dashboard.id(), dashboard.value()));
  }

  private static Audit audit(String by, String verb, String id, Dashboard dashboard) {
    String d = dashboard.d();
    return new Audit(by, verb + " dashboard " + id, d == null ? "" : d);
  }

  /** As {@link RecordSet#onChange}. */
  public Store.Subscription onChange(Consumer<RecordChange<Dashboard>> listener) {
    return stored.onChange(listener);
  }
}
