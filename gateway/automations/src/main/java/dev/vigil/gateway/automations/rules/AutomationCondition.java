package dev.vigil.gateway.automations.rules;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A condition about one resource of one endpoint. A value or a rate holds above the upper limit or
 * below the lower one. Once it holds, it ends only when the number has come back by the hysteresis.
 *
 * @param ep name of the endpoint
 * @param path of the resource, percent-encoded
 * @param record resolved SenML name of the records that count; absent: any
 * @param unit SenML unit of the records that count; absent: any
 * @param above upper limit of a value, or of the change in perSeconds
 * @param below lower limit, likewise
 * @param hysteresis at least 0
 * @param perSeconds the time of a rate, 1 to 86400; otherwise absent
 * @param seconds the age that the last value must reach, 1 to 2678400; otherwise absent
 */
@Schema(name = "AutomationCondition")
public record AutomationCondition(
    ConditionKind kind,
    String ep,
    String path,
    @Nullable String record,
    @Nullable String unit,
    @Nullable Double above,
    @Nullable Double below,
    double hysteresis,
    @Nullable Long perSeconds,
    @Nullable Long seconds) {

  /**
   * Whether a number is outside of the limits.
   *
   * @param held whether it was before
   */
  public boolean isOutside(double number, boolean held) {
    double margin = held ? hysteresis : 0;
    return above != null && number > above - margin || below != null && number < below + margin;
  }

  /** The time of a rate in seconds. */
  public long rateSeconds() {
    return perSeconds == null ? 1 : perSeconds;
  }

  /** The age in seconds. */
  public long ageSeconds() {
    return seconds == null ? 1 : seconds;
  }
}
