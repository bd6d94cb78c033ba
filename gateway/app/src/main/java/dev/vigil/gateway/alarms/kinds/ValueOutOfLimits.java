package dev.vigil.gateway.alarms.kinds;

import dev.vigil.gateway.alarms.conditions.EndpointState;
import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.KindDescription;
import dev.vigil.gateway.alarms.conditions.KindText;
import dev.vigil.gateway.alarms.conditions.MeasuredValues;
import dev.vigil.gateway.alarms.conditions.RuleFields;
import dev.vigil.gateway.alarms.conditions.RuleFields.LimitUse;
import dev.vigil.gateway.alarms.conditions.RuleFields.Watched;
import java.util.List;

/** A measured value is outside of limits. */
public record ValueOutOfLimits() implements AlarmKind.OfEndpoint {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "value",
          new RuleFields(Watched.RESOURCE, LimitUse.EITHER, LimitUse.EITHER, List.of()),
          null,
          new KindText("value out of limits", "a value is", ""),
          new KindText("Wert außerhalb der Grenzen", "ein Wert liegt", ""));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public void evaluate(EndpointState endpoint, Evaluation evaluation) {
    MeasuredValues.compare(endpoint, evaluation);
  }
}
