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
import java.util.OptionalLong;

/** The kernel has reported for too long that no time service synchronises the clock. */
public record ClockUnsynchronised() implements AlarmKind.OfGateway<ClockUnsynchronised.Source> {
  private static final double DEFAULT_SECONDS = 3600;

  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "clock-unsynchronised",
          RuleFields.above(Watched.GATEWAY, LimitUse.NEEDED),
          new RuleDefaults(
              "clock not synchronised", Severity.WARNING, RuleLimits.above(DEFAULT_SECONDS), 0, 0),
          new KindText(
              "clock not synchronised",
              "the seconds since the clock was last synchronised are",
              "seconds"),
          new KindText(
              "Uhr nicht synchronisiert",
              "die Sekunden seit der letzten Synchronisierung der Uhr liegen",
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
    clock
        .unsynchronisedSeconds()
        .ifPresent(
            seconds ->
                evaluation.reportValue(
                    Subject.GATEWAY,
                    seconds,
                    () ->
                        new AlarmText(
                            "the clock has not been synchronised for %s: check the NTP service"
                                .formatted(AlarmText.duration(seconds)),
                            "die Uhr ist seit %s nicht synchronisiert: Zeitdienst (NTP) prüfen"
                                .formatted(AlarmText.duration(seconds)))));
  }

  public interface Source extends GatewaySource {
    /**
     * Seconds since the clock was last seen synchronised, or since the start of the gateway; 0
     * while it is synchronised. Empty where the system does not report it.
     */
    OptionalLong unsynchronisedSeconds();
  }
}
