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

/** The charge or the voltage of a battery is low. */
public record LowBattery() implements AlarmKind.OfEndpoint {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "battery",
          new RuleFields(Watched.RESOURCE, null, LimitUse.NEEDED, List.of("%EL", "V")),
          null,
          new KindText("battery low", "a battery is", ""),
          new KindText("Batterie schwach", "eine Batterie liegt", ""));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public void evaluate(EndpointState endpoint, Evaluation evaluation) {
    MeasuredValues.compare(endpoint, evaluation);
  }
}
