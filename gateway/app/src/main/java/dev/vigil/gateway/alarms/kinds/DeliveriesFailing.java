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

/** A configured destination does not accept deliveries. */
public record DeliveriesFailing() implements AlarmKind.OfGateway<DeliveriesFailing.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "northbound",
          RuleFields.withoutLimits(Watched.GATEWAY),
          new RuleDefaults("deliveries fail", Severity.WARNING, RuleLimits.NONE, 30, 0),
          new KindText("deliveries fail", "another system does not accept deliveries", ""),
          new KindText(
              "Lieferungen scheitern", "ein anderes System keine Lieferungen annimmt", ""));

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
  public void evaluate(Source destinations, Evaluation evaluation) {
    destinations
        .failing()
        .forEach(
            (name, fails) ->
                evaluation.report(
                    Subject.part(name),
                    fails,
                    () ->
                        new AlarmText(
                            name + " does not take deliveries: the page System says why",
                            name + " nimmt keine Lieferungen an: Die Seite System sagt, warum")));
  }

  public interface Source extends GatewaySource {
    /** The destinations by name, and whether each fails. */
    Map<String, Boolean> failing();
  }
}
