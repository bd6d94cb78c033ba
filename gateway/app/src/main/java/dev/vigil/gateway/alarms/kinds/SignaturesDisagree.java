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

/** The two ways to verify a signature had different results. */
public record SignaturesDisagree() implements AlarmKind.OfGateway<SignaturesDisagree.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "signatures",
          RuleFields.withoutLimits(Watched.GATEWAY),
          new RuleDefaults("signatures disagree", Severity.WARNING, RuleLimits.NONE, 0, 0),
          new KindText("signatures disagree", "two verifications of a signature differed", ""),
          new KindText(
              "Signaturprüfungen verschieden",
              "zwei Prüfungen einer Signatur sich unterschieden",
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
  public void evaluate(Source signatures, Evaluation evaluation) {
    evaluation.report(
        Subject.GATEWAY,
        signatures.disagreed(),
        () ->
            new AlarmText(
                "the batch verifier judged a signature differently than the provider; it is no"
                    + " longer used: report the processor and the build",
                "der Stapelprüfer hat eine Signatur anders beurteilt als der Provider; er wird"
                    + " nicht mehr benutzt: bitte Prozessor und Version melden"));
  }

  public interface Source extends GatewaySource {
    /** Whether that has happened since the start. */
    boolean disagreed();
  }
}
