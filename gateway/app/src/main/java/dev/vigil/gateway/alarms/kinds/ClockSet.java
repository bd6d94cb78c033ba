package dev.vigil.gateway.alarms.kinds;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.conditions.KindDescription;
import dev.vigil.gateway.alarms.conditions.KindText;
import dev.vigil.gateway.alarms.conditions.RuleDefaults;
import dev.vigil.gateway.alarms.conditions.RuleFields;
import dev.vigil.gateway.alarms.conditions.RuleFields.LimitUse;
import dev.vigil.gateway.alarms.conditions.RuleFields.Watched;
import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import java.util.Locale;

/** The system's clock was set. */
public record ClockSet() implements AlarmKind.OfGateway<ClockSet.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "clock",
          RuleFields.above(Watched.GATEWAY, LimitUse.NEEDED),
          new RuleDefaults("clock was set", Severity.WARNING, RuleLimits.above(60), 0, 60),
          new KindText("clock was set", "the seconds by which the clock was set are", "seconds"),
          new KindText(
              "Uhr wurde verstellt",
              "die Sekunden, um die die Uhr verstellt wurde, liegen",
              "Sekunden"));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Class<Source> source() {
    return Source.class;
  }

  @Override
  public void evaluate(Source clock, Evaluation evaluation) {
    double value = clock.jumpSeconds();
    evaluation.reportValue(
        Subject.GATEWAY,
        value,
        () ->
            new AlarmText(
                String.format(Locale.ENGLISH, "the clock was set by %.1f seconds", value),
                String.format(Locale.GERMAN, "die Uhr wurde um %.1f Sekunden verstellt", value)));
  }

  public interface Source extends GatewaySource {
    /** The seconds by which the clock was set since the previous sample, forwards or back. */
    double jumpSeconds();
  }
}
