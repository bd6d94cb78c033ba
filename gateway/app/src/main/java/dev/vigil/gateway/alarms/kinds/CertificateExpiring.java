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

/** The certificate of HTTPS expires soon. */
public record CertificateExpiring() implements AlarmKind.OfGateway<CertificateExpiring.Source> {
  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "certificate",
          RuleFields.below(Watched.GATEWAY, LimitUse.NEEDED),
          new RuleDefaults("certificate expires", Severity.WARNING, RuleLimits.below(14), 0, 0),
          new KindText(
              "certificate expires", "days until the certificate expires are", "days left"),
          new KindText(
              "Zertifikat läuft ab",
              "die Tage bis zum Ablauf des Zertifikats liegen",
              "verbleibende Tage"));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Class<Source> source() {
    return Source.class;
  }

  @Override
  public void evaluate(Source certificate, Evaluation evaluation) {
    certificate
        .daysLeft()
        .ifPresent(
            value ->
                evaluation.reportValue(
                    Subject.GATEWAY,
                    value,
                    () ->
                        new AlarmText(
                            String.format(
                                Locale.ENGLISH, "the certificate is valid for %.1f days", value),
                            String.format(
                                Locale.GERMAN, "das Zertifikat gilt noch %.1f Tage", value))));
  }

  public interface Source extends GatewaySource {
    /** Days until the certificate expires; empty without one. */
    OptionalDouble daysLeft();
  }
}
