package dev.vigil.gateway.automations;

import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.LoopSearch;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;

/** The stored automations. Thread-safe. */
@Component
final class Automations {
  private static final int MAX = 200;

  private final RecordSet<Automation> stored;

  Automations(Records records) {
    this.stored = records.of("automation", Automation.class, MAX);
  }

  List<Versioned<Automation>> all() {
    return stored.all();
  }

  Optional<Versioned<Automation>> get(String id) {
    return stored.get(id);
  }

  CompletableFuture<Outcome> put(
      String id, Automation automation, OptionalLong version, String by) {
    String verb = stored.get(id).isPresent() ? "changed" : "made";
    return stored.put(id, automation, version, audit(by, verb, id, automation));
  }

  CompletableFuture<Outcome> remove(
      Versioned<Automation> automation, OptionalLong version, String by) {
    return stored.remove(
        automation.id(), version, audit(by, "removed", automation.id(), automation.value()));
  }

  private static Audit audit(String by, String verb, String id, Automation automation) {
    return new Audit(by, verb + " automation " + id, automation.d());
  }

  /** The search for loops if an automation were stored. */
  LoopSearch loopsWith(String id, Automation automation) {
    Map<String, Automation> all = new HashMap<>();
    stored.all().forEach(one -> all.put(one.id(), one.value()));
    all.put(id, automation);
    return new LoopSearch(all);
  }

  /** Calls back now and after each change. */
  Store.Subscription onChange(Runnable listener) {
    return stored.onChange(change -> listener.run());
  }
}
