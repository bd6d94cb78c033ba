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

/** The servers of the cluster lost acknowledged changes, which a gateway has stored again. */
public record ClusterRepaired() implements AlarmKind.OfGateway<ClusterRepaired.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "cluster-repaired",
          RuleFields.withoutLimits(Watched.GATEWAY),
          new RuleDefaults("cluster data repaired", Severity.CRITICAL, RuleLimits.NONE, 0, 0),
          new KindText(
              "cluster data repaired", "a gateway has repaired the cluster within a day", ""),
          new KindText(
              "Cluster repariert",
              "ein Gateway den Cluster innerhalb eines Tages repariert hat",
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
  public void evaluate(Source repairs, Evaluation evaluation) {
    repairs
        .lostChanges()
        .forEach(
            (gateway, lost) ->
                evaluation.report(
                    Subject.part(gateway),
                    true,
                    () ->
                        new AlarmText(
                            "the cluster's servers had lost %d changes; the gateway %s has repaired them: check the servers' disks"
                                .formatted(lost, gateway),
                            "die Server des Clusters hatten %d Änderungen verloren; das Gateway %s hat sie repariert: Platten der Server prüfen"
                                .formatted(lost, gateway))));
  }

  public interface Source extends GatewaySource {
    /** The changes that were lost before each repair of the last day, by gateway. */
    Map<String, Long> lostChanges();
  }
}
