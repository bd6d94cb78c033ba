package dev.vigil.gateway.alarms.rules;

import dev.vigil.gateway.alarms.conditions.RuleDefaults;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
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

/** The rules that operators stored, and the default rules that they did not replace. */
public final class RuleBook {
  private static final String KIND = "alarm-rule";
  private static final int MAX_RULES = 500;

  private static final Map<String, AlarmRule> DEFAULTS = defaults();

  private final RecordSet<AlarmRule> stored;

  /**
   * A rule with its id.
   *
   * @param version of the stored rule; 0: it is a default
   */
  public record Entry(String id, long version, AlarmRule rule) {
    public boolean isDefault() {
      return version == 0;
    }
  }

  public RuleBook(Records records) {
    stored = records.of(KIND, AlarmRule.class, MAX_RULES);
  }

  private static Map<String, AlarmRule> defaults() {
    Map<String, AlarmRule> rules = new TreeMap<>();
    for (AlarmKind kind : AlarmKind.all()) {
      RuleDefaults defaults = kind.description().defaults();
      if (defaults != null) {
        rules.put(kind.label(), AlarmRule.of(kind, defaults));
      }
    }
    return rules;
  }

  /** The default rule of a kind, if it has one. */
  public static Optional<Entry> defaultOf(AlarmKind kind) {
    return Optional.ofNullable(DEFAULTS.get(kind.label()))
        .map(rule -> new Entry(kind.label(), 0, rule));
  }

  /** All rules in the order of their ids. */
  public List<Entry> all() {
    Map<String, Entry> rules = new TreeMap<>();
    DEFAULTS.forEach((id, rule) -> rules.put(id, new Entry(id, 0, rule)));
    stored.all().forEach(rule -> rules.put(rule.id(), entry(rule)));
    return List.copyOf(rules.values());
  }

  private static Entry entry(Versioned<AlarmRule> rule) {
    return new Entry(rule.id(), rule.version(), rule.value());
  }

  public Optional<Entry> get(String id) {
    Optional<Entry> own = stored.get(id).map(RuleBook::entry);
    return own.isPresent()
        ? own
        : Optional.ofNullable(DEFAULTS.get(id)).map(rule -> new Entry(id, 0, rule));
  }

  /** The enabled rules of some kinds. */
  public List<Entry> enabled(Predicate<AlarmKind> kinds) {
    return all().stream()
        .filter(entry -> entry.rule().enabled() && kinds.test(entry.rule().kind()))
        .toList();
  }

  /**
   * @param version the rule's version that the change is based on; empty: any
   */
  public CompletableFuture<Outcome> put(
      String id, AlarmRule rule, OptionalLong version, String by) {
    String verb = get(id).isPresent() ? "changed" : "made";
    return stored.put(id, rule, version, new Audit(by, verb + " alarm rule " + id, domain(rule)));
  }

  public CompletableFuture<Outcome> remove(Entry entry, OptionalLong version, String by) {
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
  public Store.Subscription onChange(Runnable listener) {
    return stored.onChange(change -> listener.run());
  }
}
