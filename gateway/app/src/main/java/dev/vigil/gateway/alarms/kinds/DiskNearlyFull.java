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
import java.util.OptionalDouble;

/** The disk of the data folder is nearly full. */
public record DiskNearlyFull() implements AlarmKind.OfGateway<DiskNearlyFull.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "disk",
          RuleFields.below(Watched.GATEWAY, LimitUse.NEEDED),
          new RuleDefaults("disk nearly full", Severity.CRITICAL, RuleLimits.below(5), 30, 60),
          new KindText("disk nearly full", "free space in percent is", "percent free"),
          new KindText("Platte fast voll", "der freie Platz in Prozent liegt", "Prozent frei"));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Class<Source> source() {
    return Source.class;
  }

  @Override
  public void evaluate(Source disk, Evaluation evaluation) {
    disk.freePercent()
        .ifPresent(
            value ->
                evaluation.reportValue(
                    Subject.GATEWAY,
                    value,
                    () ->
                        new AlarmText(
                            String.format(Locale.ENGLISH, "%.1f %% of the disk is free", value),
                            String.format(Locale.GERMAN, "%.1f %% der Platte sind frei", value))));
  }

  public interface Source extends GatewaySource {
    /** Percent of the disk that is free; empty when that is unknown. */
    OptionalDouble freePercent();
  }
}
