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

/** The store cannot write, or is slow. */
public record StoreFailing() implements AlarmKind.OfGateway<StoreFailing.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "store",
          RuleFields.above(Watched.GATEWAY, LimitUse.OPTIONAL),
          new RuleDefaults("store failing", Severity.CRITICAL, RuleLimits.NONE, 0, 60),
          new KindText("store failing", "the store cannot write", "waiting changes"),
          new KindText(
              "Speicher fehlerhaft", "der Speicher nicht schreiben kann", "wartende Änderungen"));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Class<Source> source() {
    return Source.class;
  }

  @Override
  public void evaluate(Source store, Evaluation evaluation) {
    int waiting = store.waitingBatches();
    Double most = evaluation.limits().above();
    boolean slow = most != null && waiting > most;
    evaluation.report(
        Subject.GATEWAY,
        slow || store.fails(),
        () ->
            slow
                ? new AlarmText(
                    waiting + " changes wait for the disk",
                    waiting + " Änderungen warten auf die Platte")
                : new AlarmText("the store cannot write", "der Speicher kann nicht schreiben"));
  }

  public interface Source extends GatewaySource {
    boolean fails();

    int waitingBatches();
  }
}
