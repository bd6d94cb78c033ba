package dev.vigil.gateway.automations.runs;

import dev.vigil.gateway.automations.evaluation.Firing;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.automations.rules.ConditionKind;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition at the time of a run.
 *
 * @param number value, change or age in seconds; absent: unknown
 * @param perSeconds the time of a rate; otherwise absent
 */
@Schema(name = "AutomationCause")
public record RunCause(
    ConditionKind kind,
    String ep,
    String path,
    boolean holds,
    @Nullable Double number,
    @Nullable String unit,
    @Nullable Long perSeconds) {
  private static final MathContext SHOWN = new MathContext(6);

  public static RunCause of(Firing.Cause cause) {
    AutomationCondition condition = cause.condition();
    return new RunCause(
        condition.kind(),
        condition.ep(),
        condition.path(),
        cause.holds(),
        cause.number(),
        cause.unit(),
        condition.perSeconds());
  }

  public static List<RunCause> of(Firing firing) {
    return firing.causes().stream().map(RunCause::of).toList();
  }

  /** The conditions that hold, in words. */
  public static String words(List<RunCause> causes) {
    String words =
        causes.stream()
            .filter(RunCause::holds)
            .map(RunCause::words)
            .collect(Collectors.joining(", "));
    return words.isEmpty() ? "its schedule began" : words;
  }

  private String words() {
    String shown = number == null ? "unknown" : quantity(number);
    return switch (kind) {
      case VALUE -> "%s of %s is %s".formatted(path, ep, shown);
      case RATE ->
          "%s of %s changed by %s in %d s"
              .formatted(path, ep, shown, perSeconds == null ? 1 : perSeconds);
      case AGE -> "%s of %s is %s s old".formatted(path, ep, shown);
    };
  }

  private String quantity(double value) {
    String digits = BigDecimal.valueOf(value).round(SHOWN).stripTrailingZeros().toPlainString();
    return unit == null || unit.isEmpty()
        ? digits
        : String.format(Locale.ROOT, "%s %s", digits, unit);
  }
}
