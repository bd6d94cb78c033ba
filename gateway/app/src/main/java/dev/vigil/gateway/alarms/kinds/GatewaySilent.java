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
import java.util.Map;

/** Another gateway of the cluster has failed or cannot reach the cluster. */
public record GatewaySilent() implements AlarmKind.OfGateway<GatewaySilent.Source> {
  private static final double DEFAULT_SECONDS = 30;

  /** A gateway that was cut off may take this long until it is heard again. */
  private static final long HOLD_SECONDS = 15;

  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "gateway-silent",
          RuleFields.above(Watched.GATEWAY, LimitUse.NEEDED),
          new RuleDefaults(
              "gateway silent",
              Severity.CRITICAL,
              RuleLimits.above(DEFAULT_SECONDS),
              HOLD_SECONDS,
              0),
          new KindText(
              "gateway silent", "the seconds since a gateway was last heard are", "seconds"),
          new KindText(
              "Gateway verstummt",
              "die Sekunden seit der letzten Nachricht eines Gateways liegen",
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
  public boolean isShared() {
    return true;
  }

  @Override
  public void evaluate(Source gateways, Evaluation evaluation) {
    gateways
        .silentSeconds()
        .forEach(
            (name, seconds) ->
                evaluation.reportValue(
                    Subject.part(name),
                    seconds,
                    () ->
                        new AlarmText(
                            "the gateway %s is silent: check its machine".formatted(name),
                            "das Gateway %s ist verstummt: seinen Rechner prüfen"
                                .formatted(name))));
  }

  public interface Source extends GatewaySource {
    /** The seconds since each other gateway of the cluster was last heard. */
    Map<String, Long> silentSeconds();
  }
}
