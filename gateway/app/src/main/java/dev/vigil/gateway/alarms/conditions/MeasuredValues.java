package dev.vigil.gateway.alarms.conditions;

import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compares the last values of an endpoint's resources with the limits of a rule. */
public final class MeasuredValues {
  private MeasuredValues() {}

  public static void compare(EndpointState endpoint, Evaluation evaluation) {
    for (String path : endpoint.paths()) {
      if (evaluation.scope().fitsPath(path)) {
        compare(endpoint, path, evaluation);
      }
    }
  }

  /** Compares the latest record that is a number and has the rule's unit. */
  private static void compare(EndpointState endpoint, String path, Evaluation evaluation) {
    RuleLimits limits = evaluation.limits();
    List<ResolvedRecord> measured = endpoint.measurements(path);
    for (ResolvedRecord last : measured.reversed()) {
      if (last.value() instanceof SenmlValue.Number(double value)
          && (limits.unit() == null || limits.unit().equals(last.unit()))) {
        Subject subject = endpoint.subject(path);
        evaluation.reportValue(
            subject, value, () -> text(endpoint, path, value, last.unit(), limits));
        return;
      }
    }
  }

  private static AlarmText text(
      EndpointState endpoint, String path, double value, @Nullable String unit, RuleLimits limits) {
    boolean above = limits.isAbove(value);
    Double crossed = above ? limits.above() : limits.below();
    double limit = crossed == null ? value : crossed;
    return new AlarmText(
        "%s of %s is %s, %s %s"
            .formatted(
                path,
                endpoint.name(),
                AlarmText.quantity(value, unit, Locale.ENGLISH),
                above ? "above" : "below",
                AlarmText.quantity(limit, unit, Locale.ENGLISH)),
        "%s von %s ist %s, %s %s"
            .formatted(
                path,
                endpoint.name(),
                AlarmText.quantity(value, unit, Locale.GERMAN),
                above ? "über" : "unter",
                AlarmText.quantity(limit, unit, Locale.GERMAN)));
  }
}
