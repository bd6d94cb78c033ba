package dev.vigil.gateway.alarms.kinds;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.conditions.KindDescription;
import dev.vigil.gateway.alarms.conditions.KindText;
import dev.vigil.gateway.alarms.conditions.RuleFields;
import dev.vigil.gateway.alarms.conditions.RuleFields.LimitUse;
import dev.vigil.gateway.alarms.conditions.RuleFields.Watched;
import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Subject;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Requests of an endpoint, or of all endpoints together, are refused. */
public record HighRejectionRate() implements AlarmKind.OfGateway<HighRejectionRate.Source> {
  private static final AlarmText ALL =
      new AlarmText("all endpoints together", "allen Endpunkten zusammen");

  private static final KindDescription DESCRIPTION =
      new KindDescription(
          "rejections",
          RuleFields.above(Watched.ENDPOINT_OR_ALL, LimitUse.NEEDED),
          null,
          new KindText("rejections", "refused requests a minute are", "refused requests a minute"),
          new KindText(
              "Ablehnungen",
              "abgelehnte Anfragen je Minute liegen",
              "abgelehnte Anfragen je Minute"));

  @Override
  public KindDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Class<Source> source() {
    return Source.class;
  }

  @Override
  public void evaluate(Source rates, Evaluation evaluation) {
    if (evaluation.scope().ep().isEmpty()) {
      report(Subject.GATEWAY, rates.total(), ALL, evaluation);
      return;
    }
    rates
        .byEndpoint(evaluation.scope())
        .forEach(
            (subject, rate) ->
                report(
                    subject,
                    rate,
                    AlarmText.endpoint(
                        Objects.requireNonNullElse(subject.ep(), ""),
                        Objects.requireNonNullElse(subject.d(), "")),
                    evaluation));
  }

  private static void report(Subject subject, double rate, AlarmText whose, Evaluation evaluation) {
    evaluation.reportValue(
        subject,
        rate,
        () ->
            new AlarmText(
                String.format(
                    Locale.ENGLISH,
                    "%.0f requests of %s a minute are refused",
                    rate,
                    whose.english()),
                String.format(
                    Locale.GERMAN,
                    "%.0f Anfragen je Minute von %s werden abgelehnt",
                    rate,
                    whose.german())));
  }

  /** Refused requests a minute. */
  public interface Source extends GatewaySource {
    /** The rates of the endpoints in a scope. */
    Map<Subject, Double> byEndpoint(RuleScope scope);

    double total();
  }
}
