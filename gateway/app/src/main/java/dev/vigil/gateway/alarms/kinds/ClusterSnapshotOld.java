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
import java.util.OptionalLong;

/** Snapshots of the cluster's state fail, so that messages accumulate in the stream. */
public record ClusterSnapshotOld() implements AlarmKind.OfGateway<ClusterSnapshotOld.Source> {
  /** The first change after a quiet time makes a new snapshot due. Making it takes a while. */
  private static final long HOLD_SECONDS = 900;

  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "cluster-snapshot-old",
          RuleFields.withoutLimits(Watched.GATEWAY),
          new RuleDefaults(
              "cluster snapshot old", Severity.WARNING, RuleLimits.NONE, HOLD_SECONDS, 0),
          new KindText(
              "cluster snapshot old",
              "changes wait for a snapshot, and the newest is older than three times snapshots.every",
              ""),
          new KindText(
              "Cluster-Snapshot veraltet",
              "Änderungen auf einen Snapshot warten und der neueste älter ist als das Dreifache von snapshots.every",
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
  public void evaluate(Source snapshots, Evaluation evaluation) {
    OptionalLong seconds = snapshots.secondsIfOld();
    String age = AlarmText.duration(seconds.orElse(0));
    evaluation.report(
        Subject.GATEWAY,
        seconds.isPresent(),
        () ->
            new AlarmText(
                "the cluster has had no snapshot for %s, and its stream grows: see snapshot-not-made in the gateways' logs"
                    .formatted(age),
                "der Cluster hat seit %s keinen Snapshot, und sein Stream wächst: siehe snapshot-not-made in den Logs der Gateways"
                    .formatted(age)));
  }

  public interface Source extends GatewaySource {
    /** The age of the newest snapshot, if changes have waited too long for another one. */
    OptionalLong secondsIfOld();
  }
}
