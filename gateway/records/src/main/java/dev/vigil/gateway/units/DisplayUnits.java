package dev.vigil.gateway.units;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;

/** The units in which numbers can be shown, and the gateway's choice. Thread-safe. */
@Component
public final class DisplayUnits {
  private static final List<DisplayUnitsJson.QuantityJson> QUANTITIES =
      UnitTable.QUANTITIES.stream().map(DisplayUnitsJson.QuantityJson::new).toList();

  private final RecordSet<ChosenUnits> records;

  DisplayUnits(Records records) {
    this.records = records.of(ChosenUnits.KIND, ChosenUnits.class, 1);
  }

  public DisplayUnitsJson json() {
    return new DisplayUnitsJson(
        records.get(ChosenUnits.ID).map(one -> one.value().units()).orElse(List.of()), QUANTITIES);
  }

  /** The version of the choice; 0 without one. */
  long version() {
    return records.get(ChosenUnits.ID).map(Versioned::version).orElse(0L);
  }

  CompletableFuture<Outcome> choose(List<String> units, OptionalLong version, Audit audit) {
    return records.put(ChosenUnits.ID, new ChosenUnits(units), version, audit);
  }
}
