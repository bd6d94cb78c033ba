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

/**
 * The servers of the cluster lost acknowledged changes, which a gateway has stored again, or the
 * replica of a gateway was damaged.
 */
public record ClusterRepaired() implements AlarmKind.OfGateway<ClusterRepaired.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "cluster-repaired",
          RuleFields.withoutLimits(Watched.GATEWAY),
          new RuleDefaults("cluster data repaired", Severity.CRITICAL, RuleLimits.NONE, 0, 0),
          new KindText(
              "cluster data repaired", "a gateway repaired the cluster in the last day", ""),
          new KindText(
              "Cluster repariert",
              "ein Gateway den Cluster in den letzten 24 Stunden repariert hat",
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
        .recent()
        .forEach(
            (gateway, repair) ->
                evaluation.report(Subject.part(gateway), true, () -> text(gateway, repair)));
  }

  private static AlarmText text(String gateway, Repair repair) {
    return repair.lost() > 0
        ? new AlarmText(
            "the cluster's servers had lost %d changes; the gateway %s has repaired them: check the servers' disks"
                .formatted(repair.lost(), gateway),
            "die Server des Clusters hatten %d Änderungen verloren; das Gateway %s hat sie repariert: Platten der Server prüfen"
                .formatted(repair.lost(), gateway))
        : new AlarmText(
            "the database of the gateway %s was damaged and has been filled again: check its disk"
                .formatted(gateway),
            "die Datenbank des Gateways %s war beschädigt und wurde neu gefüllt: seine Platte prüfen"
                .formatted(gateway));
  }

  /**
   * @param lost changes that the servers had lost; 0 if only the gateway's replica was damaged
   */
  public record Repair(long lost) {}

  public interface Source extends GatewaySource {
    /** The repairs of the last day that followed a loss or damage, by gateway. */
    Map<String, Repair> recent();
  }
}
