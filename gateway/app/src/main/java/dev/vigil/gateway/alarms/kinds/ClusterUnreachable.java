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

/**
 * The gateway had no contact with its cluster. Without contact no alarm can be stored, so this one
 * is raised when the contact is back, and stays for a while.
 */
public record ClusterUnreachable() implements AlarmKind.OfGateway<ClusterUnreachable.Source> {
  private static final double DEFAULT_SECONDS = 30;

  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "cluster",
          RuleFields.above(Watched.GATEWAY, LimitUse.NEEDED),
          new RuleDefaults(
              "cluster out of reach", Severity.WARNING, RuleLimits.above(DEFAULT_SECONDS), 0, 0),
          new KindText(
              "cluster out of reach",
              "the seconds without contact with the cluster are",
              "seconds"),
          new KindText(
              "Cluster nicht erreichbar",
              "die Sekunden ohne Kontakt zum Cluster liegen",
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
  public void evaluate(Source cluster, Evaluation evaluation) {
    long seconds = cluster.secondsWithoutContact();
    evaluation.reportValue(
        Subject.GATEWAY,
        seconds,
        () ->
            new AlarmText(
                "no contact with the cluster for %s: check the NATS servers and the network"
                    .formatted(AlarmText.duration(seconds)),
                "kein Kontakt zum Cluster für %s: NATS-Server und Netz prüfen"
                    .formatted(AlarmText.duration(seconds))));
  }

  public interface Source extends GatewaySource {
    /** The length of the present loss of contact, or of one that ended recently; otherwise 0. */
    long secondsWithoutContact();
  }
}
