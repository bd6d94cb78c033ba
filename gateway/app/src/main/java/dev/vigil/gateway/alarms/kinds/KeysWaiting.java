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
import java.util.HashSet;
import java.util.Set;

/** Keys of a domain await a decision. */
public record KeysWaiting() implements AlarmKind.OfGateway<KeysWaiting.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "keys-waiting",
          RuleFields.withoutLimits(Watched.DOMAIN),
          new RuleDefaults("keys wait for a decision", Severity.INFO, RuleLimits.NONE, 0, 0),
          new KindText("keys waiting", "keys of a domain await a decision", ""),
          new KindText(
              "Schlüssel warten", "Schlüssel einer Domäne auf eine Entscheidung warten", ""));

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
  public void evaluate(Source waiting, Evaluation evaluation) {
    Set<String> present = waiting.domains();
    Set<String> domains = new HashSet<>(present);
    for (Subject open : evaluation.open()) {
      if (open.d() != null) {
        domains.add(open.d());
      }
    }
    String only = evaluation.scope().d();
    for (String d : domains) {
      if (only == null || only.equals(d)) {
        evaluation.report(Subject.domain(d), present.contains(d), () -> text(d));
      }
    }
  }

  private static AlarmText text(String d) {
    return d.isEmpty()
        ? new AlarmText("keys wait for a decision", "Schlüssel warten auf eine Entscheidung")
        : new AlarmText(
            "keys wait for a decision in domain " + d,
            "in Domäne " + d + " warten Schlüssel auf eine Entscheidung");
  }

  public interface Source extends GatewaySource {
    /** The domains in which keys wait. */
    Set<String> domains();
  }
}
