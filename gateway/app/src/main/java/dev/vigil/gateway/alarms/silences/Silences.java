package dev.vigil.gateway.alarms.silences;

import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The silences that are in force. */
public final class Silences {
  private static final int MAX = 1000;

  private final RecordSet<Silence> stored;
  private final Clock clock;

  public Silences(Records records, Clock clock) {
    this.stored = records.of("alarm-silence", Silence.class, MAX);
    this.clock = clock;
  }

  public boolean fit(String rule, Subject subject) {
    return stored.size() > 0 && present().stream().anyMatch(one -> one.value().fits(rule, subject));
  }

  /** The silences that have not ended. */
  public List<Versioned<Silence>> present() {
    return stored.all().stream().filter(one -> isPresent(one.value())).toList();
  }

  private boolean isPresent(Silence silence) {
    return clock.instant().isBefore(silence.until());
  }

  public Optional<Versioned<Silence>> get(String id) {
    return stored.get(id).filter(one -> isPresent(one.value()));
  }

  public CompletableFuture<Outcome> put(String id, Silence silence) {
    String d = silence.d();
    return stored.put(
        id,
        silence,
        OptionalLong.of(0),
        new Audit(silence.by(), "silenced alarms until " + silence.until(), d == null ? "" : d));
  }

  public CompletableFuture<Outcome> remove(Versioned<Silence> silence, String by) {
    String d = silence.value().d();
    return stored.remove(
        silence.id(),
        OptionalLong.of(silence.version()),
        new Audit(by, "ended the silence of alarms", d == null ? "" : d));
  }

  /** Removes the silences that have ended. */
  public void removeEnded() {
    stored.all().stream()
        .filter(one -> !isPresent(one.value()))
        .forEach(one -> stored.remove(one.id(), OptionalLong.empty(), Audit.UNRECORDED));
  }
}
