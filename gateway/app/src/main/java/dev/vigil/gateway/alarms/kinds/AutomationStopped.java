package dev.vigil.gateway.alarms.kinds;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.conditions.KindDescription;
import dev.vigil.gateway.alarms.conditions.KindText;
import dev.vigil.gateway.alarms.conditions.RuleDefaults;
import dev.vigil.gateway.alarms.conditions.RuleFields;
import dev.vigil.gateway.alarms.conditions.RuleFields.Watched;
import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.openalarms.StoppedAutomations;
import java.util.List;

/** An automation that is switched on does not act: it ran too often, or cannot run any more. */
public record AutomationStopped() implements AlarmKind.OfGateway<AutomationStopped.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "automation",
          RuleFields.withoutLimits(Watched.DOMAIN),
          new RuleDefaults("automations do not act", Severity.WARNING, RuleLimits.NONE, 30, 0),
          new KindText("automation does not act", "an automation is suspended or cannot run", ""),
          new KindText(
              "Automatisierung handelt nicht",
              "eine Automatisierung angehalten ist oder nicht laufen kann",
              ""));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Class<Source> source() {
    return Source.class;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public void evaluate(Source automations, Evaluation evaluation) {
    String only = evaluation.scope().d();
    for (StoppedAutomations.Stopped one : automations.stopped()) {
      if (only == null || only.equals(one.d())) {
        evaluation.report(new Subject(one.d(), null, null, one.id()), true, () -> text(one));
      }
    }
  }

  private static AlarmText text(StoppedAutomations.Stopped automation) {
    return new AlarmText(
        "automation %s does not act: the page Automations says why".formatted(automation.name()),
        "Die Automatisierung %s handelt nicht: Die Seite Automatisierungen sagt, warum"
            .formatted(automation.name()));
  }

  public interface Source extends GatewaySource {
    /** The automations that are switched on and do not act. */
    List<StoppedAutomations.Stopped> stopped();
  }
}
