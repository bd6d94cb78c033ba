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
import java.util.Map;

/** A radio does not work. */
public record RadioLost() implements AlarmKind.OfGateway<RadioLost.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "radio-lost",
          RuleFields.withoutLimits(Watched.GATEWAY),
          new RuleDefaults("radio lost", Severity.CRITICAL, RuleLimits.NONE, 0, 0),
          new KindText("radio lost", "a radio does not work", ""),
          new KindText("Funkmodul ausgefallen", "ein Funkmodul nicht arbeitet", ""));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Class<Source> source() {
    return Source.class;
  }

  @Override
  public void evaluate(Source radios, Evaluation evaluation) {
    radios
        .radios()
        .forEach(
            (name, up) ->
                evaluation.report(
                    Subject.part(name),
                    !up,
                    () ->
                        new AlarmText(
                            "radio " + name + " is lost",
                            "Funkmodul " + name + " ist ausgefallen")));
  }

  public interface Source extends GatewaySource {
    /** The radios by name, and whether each works. */
    Map<String, Boolean> radios();
  }
}
