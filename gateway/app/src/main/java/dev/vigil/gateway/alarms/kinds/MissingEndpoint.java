package dev.vigil.gateway.alarms.kinds;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.conditions.EndpointState;
import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.KindDescription;
import dev.vigil.gateway.alarms.conditions.KindText;
import dev.vigil.gateway.alarms.conditions.RuleDefaults;
import dev.vigil.gateway.alarms.conditions.RuleFields;
import dev.vigil.gateway.alarms.conditions.RuleFields.Watched;
import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.mirror.read.Presence;

/**
 * A trusted endpoint was silent for three wake intervals, or for one if it has never sent a value.
 */
public record MissingEndpoint() implements AlarmKind.OfEndpoint {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "missing",
          RuleFields.withoutLimits(Watched.ENDPOINT),
          new RuleDefaults("endpoint missing", Severity.WARNING, RuleLimits.NONE, 0, 0),
          new KindText(
              "endpoint missing",
              "an endpoint was silent for three wake intervals (one, if it never sent a value)",
              ""),
          new KindText(
              "Endpunkt fehlt",
              "ein Endpunkt drei Aufwachzeiten lang schwieg (eine, falls er nie einen Wert sandte)",
              ""));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public void evaluate(EndpointState endpoint, Evaluation evaluation) {
    Presence presence = endpoint.presence();
    Subject subject = endpoint.subject(null);
    boolean open = evaluation.isOpen(subject);
    long heard = endpoint.heard();
    long from = open ? heard : Math.max(heard, endpoint.started());
    long deadline = from + presence.missingAfter();
    if (endpoint.now() < deadline) {
      evaluation.at(deadline);
    }
    evaluation.report(
        subject,
        endpoint.now() >= deadline || open && endpoint.isHeardAhead(),
        () -> text(endpoint.name(), (endpoint.now() - heard) / 1000));
  }

  private static AlarmText text(String name, long seconds) {
    String silence = AlarmText.duration(seconds);
    return new AlarmText(
        name + " has not been heard for " + silence,
        name + " wurde seit " + silence + " nicht gehört");
  }
}
