package dev.vigil.gateway.automations.evaluation;

import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.automations.rules.ConditionKind;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A number that an endpoint has measured. Booleans count as 0 and 1.
 *
 * @param seq sequence number of its update
 * @param arrived unix time in milliseconds
 * @param measured unix time in seconds
 * @param unit null: none
 */
public record NumberReading(
    long seq, long arrived, double measured, double number, @Nullable String unit) {

  /** The reading; if it arrived after now, because the clock was set back, it arrives now. */
  public NumberReading arrivedBy(long now) {
    return new NumberReading(seq, Math.min(arrived, now), measured, number, unit);
  }

  /**
   * The number of an update that a condition reads: the last that has its name and unit. The age of
   * a value needs no number. Empty if the update has none.
   */
  public static Optional<NumberReading> of(
      AutomationCondition condition, long seq, long arrived, List<ResolvedRecord> records) {
    if (condition.kind() == ConditionKind.AGE) {
      return Optional.of(new NumberReading(seq, arrived, arrived / 1000.0, 0, null));
    }
    for (ResolvedRecord record : records.reversed()) {
      Double number = number(record.value());
      if (number != null && fits(condition, record.name(), record.unit())) {
        return Optional.of(new NumberReading(seq, arrived, record.time(), number, record.unit()));
      }
    }
    return Optional.empty();
  }

  /** Whether a condition reads records with a name and unit. */
  public static boolean fits(AutomationCondition condition, String name, @Nullable String unit) {
    return (condition.record() == null || condition.record().equals(name))
        && (condition.unit() == null || condition.unit().equals(unit));
  }

  private static @Nullable Double number(@Nullable SenmlValue value) {
    return switch (value) {
      case SenmlValue.Number(double number) -> number;
      case SenmlValue.Bool(boolean bool) -> bool ? 1.0 : 0.0;
      case SenmlValue.Text _, SenmlValue.Data _ -> null;
      case null -> null;
    };
  }
}
