package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.rules.RuleBook.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** The conditions of the gateway itself and of domains, sampled. Used by one thread. */
final class GatewayConditions {
  private final Map<Class<?>, GatewaySource> sources = new HashMap<>();
  private final Predicate<AlarmKind.OfGateway<?>> which;
  private List<Entry> rules = List.of();

  /**
   * @param which the kinds that are evaluated
   * @throws IllegalArgumentException when a kind has no source
   */
  GatewayConditions(List<GatewaySource> present, Predicate<AlarmKind.OfGateway<?>> which) {
    this.which = which;
    for (AlarmKind kind : AlarmKind.all()) {
      if (kind instanceof AlarmKind.OfGateway<?> sampled && which.test(sampled)) {
        Class<?> wanted = sampled.source();
        sources.put(
            wanted,
            present.stream()
                .filter(wanted::isInstance)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + wanted.getName())));
      }
    }
  }

  /** All kinds. */
  GatewayConditions(List<GatewaySource> present) {
    this(present, any -> true);
  }

  void use(RuleBook book) {
    rules =
        book.enabled(kind -> kind instanceof AlarmKind.OfGateway<?> sampled && which.test(sampled));
  }

  /** Reports the present conditions. */
  void evaluate(ConditionRound round) {
    sources.values().forEach(GatewaySource::sample);
    for (Entry entry : rules) {
      if (entry.rule().kind() instanceof AlarmKind.OfGateway<?> kind) {
        evaluate(kind, round.of(entry));
      }
    }
  }

  private <S extends GatewaySource> void evaluate(
      AlarmKind.OfGateway<S> kind, Evaluation evaluation) {
    GatewaySource source = Objects.requireNonNull(sources.get(kind.source()));
    kind.evaluate(kind.source().cast(source), evaluation);
  }
}
