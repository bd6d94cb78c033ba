package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.AlarmRule.Limits;
import dev.vigil.gateway.alarms.AlarmRule.Scope;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** The rules: those that operators stored, and the defaults that they did not replace. */
final class RuleBook {
  private static final String KIND = "alarm-rule";
  private static final int MAX_RULES = 500;

  /** Percent of the disk that shall stay free. */
  private static final double FREE_PERCENT = 5;

  private static final double CERTIFICATE_DAYS = 14;
  private static final double CLOCK_SECONDS = 60;
  private static final long HOLD_SECONDS = 30;
  private static final long CLEAR_SECONDS = 60;

  private static final Map<String, AlarmRule> DEFAULTS = defaults();

  private final RecordSet<AlarmRule> stored;

  /**
   * A rule with its id.
   *
   * @param version of the stored rule; 0: it is a default
   */
  record Entry(String id, long version, AlarmRule rule) {
    boolean isDefault() {
      return version == 0;
    }
  }

  RuleBook(Records records) {
    stored = records.of(KIND, AlarmRule.class, MAX_RULES);
  }

  private static Map<String, AlarmRule> defaults() {
    Map<String, AlarmRule> rules = new TreeMap<>();
    add(rules, AlarmKind.MISSING, Severity.WARNING, Limits.NONE, 0, 0);
    add(rules, AlarmKind.KEYS_WAITING, Severity.INFO, Limits.NONE, 0, 0);
    add(rules, AlarmKind.RADIO_LOST, Severity.CRITICAL, Limits.NONE, 0, 0);
    add(rules, AlarmKind.STORE, Severity.CRITICAL, Limits.NONE, 0, CLEAR_SECONDS);
    Limits disk = Limits.below(FREE_PERCENT);
    add(rules, AlarmKind.DISK, Severity.CRITICAL, disk, HOLD_SECONDS, CLEAR_SECONDS);
    add(rules, AlarmKind.CERTIFICATE, Severity.WARNING, Limits.below(CERTIFICATE_DAYS), 0, 0);
    add(rules, AlarmKind.NORTHBOUND, Severity.WARNING, Limits.NONE, HOLD_SECONDS, 0);
    add(rules, AlarmKind.CLOCK, Severity.WARNING, Limits.above(CLOCK_SECONDS), 0, CLEAR_SECONDS);
    return rules;
  }

  private static void add(
      Map<String, AlarmRule> rules,
      AlarmKind kind,
      Severity severity,
      Limits limits,
      long hold,
      long clear) {
    String name =
        switch (kind) {
          case MISSING -> "endpoint missing";
          case KEYS_WAITING -> "keys wait for a decision";
          case RADIO_LOST -> "radio lost";
          case STORE -> "store failing";
          case DISK -> "disk nearly full";
          case CERTIFICATE -> "certificate expires";
          case CLOCK -> "clock was set";
          case NORTHBOUND -> "deliveries fail";
          case VALUE, BATTERY, REJECTIONS -> kind.label();
        };
    rules.put(
        kind.label(), new AlarmRule(name, true, kind, severity, Scope.ALL, limits, hold, clear));
  }

  /** All rules in the order of their ids. */
  List<Entry> all() {
    Map<String, Entry> rules = new TreeMap<>();
    DEFAULTS.forEach((id, rule) -> rules.put(id, new Entry(id, 0, rule)));
    stored.all().forEach(rule -> rules.put(rule.id(), entry(rule)));
    return List.copyOf(rules.values());
  }

  private static Entry entry(Versioned<AlarmRule> rule) {
    return new Entry(rule.id(), rule.version(), rule.value());
  }

  Optional<Entry> get(String id) {
    Optional<Entry> own = stored.get(id).map(RuleBook::entry);
    return own.isPresent()
        ? own
        : Optional.ofNullable(DEFAULTS.get(id)).map(rule -> new Entry(id, 0, rule));
  }

  /** The enabled rules of some kinds. */
  List<Entry> enabled(Predicate<AlarmKind> kinds) {
    return all().stream()
        .filter(entry -> entry.rule().enabled() && kinds.test(entry.rule().kind()))
        .toList();
  }

  static boolean isDefault(String id) {
    return DEFAULTS.containsKey(id);
  }

  /**
   * @param version the rule's version that the change is based on; empty: any
   */
  CompletableFuture<Outcome> put(String id, AlarmRule rule, OptionalLong version, String by) {
    String verb = get(id).isPresent() ? "changed" : "made";
    return stored.put(id, rule, version, new Audit(by, verb + " alarm rule " + id, domain(rule)));
  }

  CompletableFuture<Outcome> remove(Entry entry, OptionalLong version, String by) {
    return stored.remove(
        entry.id(),
        version,
        new Audit(by, "removed alarm rule " + entry.id(), domain(entry.rule())));
  }

  private static String domain(AlarmRule rule) {
    String d = rule.scope().d();
    return d == null ? "" : d;
  }

  /** Calls back now and after each change of a rule. */
  Store.Subscription onChange(Runnable listener) {
    return stored.onChange(change -> listener.run());
  }
}
