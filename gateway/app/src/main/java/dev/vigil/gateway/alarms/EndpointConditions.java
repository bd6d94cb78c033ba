package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.Alarm.Subject;
import dev.vigil.gateway.alarms.AlarmRule.Limits;
import dev.vigil.gateway.alarms.RuleBook.Entry;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The conditions of single endpoints, decided from their present state. Used by one thread. */
final class EndpointConditions {
  private final MirrorQueries mirror;
  private final long started;
  private List<Entry> missing = List.of();
  private List<Entry> values = List.of();

  /** Ids of the endpoints for whose names keys wait, by domain. */
  private final Map<String, Set<String>> waiting = new HashMap<>();

  /** The domain of each of these. */
  private final Map<String, String> waitingDomain = new HashMap<>();

  /**
   * @param started start of the gateway, unix time in milliseconds: before it nobody could be heard
   */
  EndpointConditions(MirrorQueries mirror, long started) {
    this.mirror = mirror;
    this.started = started;
  }

  void use(RuleBook rules) {
    missing = rules.enabled(kind -> kind == AlarmKind.MISSING);
    values = rules.enabled(kind -> kind == AlarmKind.VALUE || kind == AlarmKind.BATTERY);
  }

  /** The domains in which keys wait, or waited when they were asked for last. */
  Set<String> domainsWithWaitingKeys() {
    return waiting.keySet();
  }

  /** Says the conditions of one endpoint. */
  void evaluate(String id, long now, ConditionRound round) {
    Presence presence = mirror.presence(id).orElse(null);
    countWaiting(id, presence);
    if (presence == null || !presence.trusted()) {
      return;
    }
    for (Entry entry : missing) {
      if (entry.rule().scope().fits(presence.d(), presence.ep())) {
        evaluateSilence(entry, presence, now, round);
      }
    }
    evaluateValues(presence, round);
  }

  private void countWaiting(String id, @Nullable Presence presence) {
    String former = waitingDomain.remove(id);
    if (former != null) {
      waiting.computeIfPresent(
          former,
          (d, ids) -> {
            ids.remove(id);
            return ids.isEmpty() ? null : ids;
          });
    }
    if (presence != null && presence.keysWait()) {
      waitingDomain.put(id, presence.d());
      waiting.computeIfAbsent(presence.d(), d -> new HashSet<>()).add(id);
    }
  }

  private void evaluateSilence(Entry entry, Presence presence, long now, ConditionRound round) {
    Alarm.Key key = key(entry, presence, null);
    long heard = round.isOpen(key) ? presence.heard() : Math.max(presence.heard(), started);
    long deadline = heard + presence.missingAfter();
    if (now < deadline) {
      round.at(deadline);
    }
    round.condition(
        key,
        entry.rule(),
        now >= deadline,
        () ->
            "%s was not heard for %d s".formatted(name(presence), (now - presence.heard()) / 1000));
  }

  private static String name(Presence presence) {
    return presence.d().isEmpty() ? presence.ep() : presence.ep() + " in " + presence.d();
  }

  private void evaluateValues(Presence presence, ConditionRound round) {
    List<Entry> fitting =
        values.stream()
            .filter(entry -> entry.rule().scope().fits(presence.d(), presence.ep()))
            .toList();
    if (fitting.isEmpty()) {
      return;
    }
    for (String path : mirror.pathsWithValues(presence.id())) {
      @Nullable List<ResolvedRecord> measured = null;
      for (Entry entry : fitting) {
        if (entry.rule().scope().fitsPath(path)) {
          measured = measured == null ? mirror.lastMeasurements(presence.id(), path) : measured;
          evaluateValue(entry, presence, path, measured, round);
        }
      }
    }
  }

  private static void evaluateValue(
      Entry entry,
      Presence presence,
      String path,
      List<ResolvedRecord> measured,
      ConditionRound round) {
    Limits limits = entry.rule().limits();
    for (ResolvedRecord last : measured.reversed()) {
      if (last.value() instanceof SenmlValue.Number(double value)
          && (limits.unit() == null || limits.unit().equals(last.unit()))) {
        Alarm.Key key = key(entry, presence, path);
        round.condition(
            key,
            entry.rule(),
            limits.isExceededBy(value, round.isOpen(key)),
            () -> text(presence, path, value, last.unit(), limits));
        return;
      }
    }
  }

  private static String text(
      Presence presence, String path, double value, @Nullable String unit, Limits limits) {
    return "%s of %s is %s%s, %s"
        .formatted(
            path,
            name(presence),
            SenmlPack.decimal(value),
            unit == null ? "" : " " + unit,
            limits.exceededBy(value));
  }

  private static Alarm.Key key(Entry entry, Presence presence, @Nullable String path) {
    return new Alarm.Key(entry.id(), new Subject(presence.d(), presence.ep(), presence.id(), path));
  }
}
