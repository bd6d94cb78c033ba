package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.Alarm.Subject;
import dev.vigil.gateway.alarms.RuleBook.Entry;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** The conditions of the gateway itself and of domains, sampled. Used by one thread. */
final class GatewayConditions {
  private final GatewayState state;
  private final RejectionRates rejections;
  private final EndpointConditions endpoints;
  private List<Entry> rules = List.of();

  /** Domains in which keys waited at the last sample. */
  private Set<String> withKeys = Set.of();

  private double clockJump;

  GatewayConditions(GatewayState state, RejectionRates rejections, EndpointConditions endpoints) {
    this.state = state;
    this.rejections = rejections;
    this.endpoints = endpoints;
  }

  void use(RuleBook book) {
    rules = book.enabled(kind -> !kind.isOfEndpoint());
    rejections.watch(rules.stream().anyMatch(e -> e.rule().kind() == AlarmKind.REJECTIONS));
  }

  /** Says the present conditions. */
  void evaluate(ConditionRound round) {
    clockJump = state.clockJumpSeconds();
    rejections.sample();
    Set<String> domains = new HashSet<>(withKeys);
    withKeys = Set.copyOf(endpoints.domainsWithWaitingKeys());
    domains.addAll(withKeys);
    rules.forEach(entry -> evaluate(entry, domains, round));
  }

  private void evaluate(Entry entry, Set<String> domains, ConditionRound round) {
    AlarmRule rule = entry.rule();
    switch (rule.kind()) {
      case RADIO_LOST ->
          state
              .radios()
              .forEach(
                  (name, up) ->
                      say(round, entry, Subject.part(name), !up, "radio " + name + " is lost"));
      case NORTHBOUND ->
          state
              .destinations()
              .forEach(
                  (name, fails) -> say(round, entry, Subject.part(name), fails, failingText(name)));
      case KEYS_WAITING ->
          domains.stream()
              .filter(d -> rule.scope().d() == null || d.equals(rule.scope().d()))
              .forEach(
                  d -> say(round, entry, Subject.domain(d), withKeys.contains(d), waitingText(d)));
      case STORE -> evaluateStore(entry, round);
      case DISK -> limit(round, entry, state.freePercent(), "%s %% of the disk are free");
      case CERTIFICATE ->
          limit(round, entry, state.certificateDays(), "the certificate is valid for %s days");
      case CLOCK ->
          limit(round, entry, OptionalDouble.of(clockJump), "the clock was set by %s seconds");
      case REJECTIONS -> evaluateRejections(entry, round);
      case MISSING, VALUE, BATTERY -> {}
    }
  }

  private static String failingText(String destination) {
    return destination + " does not take deliveries: /api/northbound says why";
  }

  private static String waitingText(String d) {
    return d.isEmpty() ? "keys wait for a decision" : "keys wait for a decision in domain " + d;
  }

  private void evaluateStore(Entry entry, ConditionRound round) {
    int waiting = state.waitingBatches();
    Double most = entry.rule().limits().above();
    boolean slow = most != null && waiting > most;
    String text = slow ? waiting + " changes wait for the disk" : "the store cannot write";
    say(round, entry, Subject.GATEWAY, slow || state.storeFails(), text);
  }

  private static void limit(ConditionRound round, Entry entry, OptionalDouble value, String text) {
    if (value.isPresent()) {
      Alarm.Key key = new Alarm.Key(entry.id(), Subject.GATEWAY);
      double present = value.getAsDouble();
      boolean exceeded = entry.rule().limits().isExceededBy(present, round.isOpen(key));
      say(
          round,
          entry,
          Subject.GATEWAY,
          exceeded,
          text.formatted(String.format(Locale.ROOT, "%.1f", present)));
    }
  }

  private void evaluateRejections(Entry entry, ConditionRound round) {
    AlarmRule.Scope scope = entry.rule().scope();
    if (scope.ep().isEmpty()) {
      double total = rejections.total();
      Alarm.Key key = new Alarm.Key(entry.id(), Subject.GATEWAY);
      boolean high = entry.rule().limits().isExceededBy(total, round.isOpen(key));
      say(round, entry, Subject.GATEWAY, high, rateText(total, "all endpoints together"));
      return;
    }
    for (Map.Entry<Subject, Double> one : rejections.byEndpoint().entrySet()) {
      Subject subject = one.getKey();
      String d = subject.d() == null ? "" : subject.d();
      String ep = subject.ep() == null ? "" : subject.ep();
      if (scope.fits(d, ep)) {
        Alarm.Key key = new Alarm.Key(entry.id(), subject);
        boolean high = entry.rule().limits().isExceededBy(one.getValue(), round.isOpen(key));
        say(round, entry, subject, high, rateText(one.getValue(), ep));
      }
    }
  }

  private static String rateText(double rate, String whose) {
    return String.format(Locale.ROOT, "%.0f requests of %s a minute are refused", rate, whose);
  }

  private static void say(
      ConditionRound round, Entry entry, Subject subject, boolean holds, String text) {
    round.condition(new Alarm.Key(entry.id(), subject), entry.rule(), holds, () -> text);
  }
}
