package dev.vigil.gateway.aggregates;

import dev.vigil.gateway.settings.InvalidSettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long signed values are kept, and numbers by minute, hour and day.
 *
 * @param values age at which signed values are deleted, unless their domain has its own limits
 * @param valuesDiskShare percent of the disk that older signed values may take before they are
 *     deleted early
 * @param minutes age at which minutes are deleted
 * @param hours age at which hours and days are deleted
 * @param diskShare percent of the disk that the database may take before minutes are deleted early
 */
public record HistoryProperties(
    @DefaultValue("30d") Duration values,
    @DefaultValue("20") int valuesDiskShare,
    @DefaultValue("366d") Duration minutes,
    @DefaultValue("3653d") Duration hours,
    @DefaultValue("25") int diskShare) {
  private static final int PERCENT = 100;

  public HistoryProperties {
    if (values.isNegative()) {
      throw new InvalidSettingException(
          "vigil.history.values", "must be a duration, such as 30d, or 0 for the newest ones only");
    }
    if (valuesDiskShare < 1 || valuesDiskShare > PERCENT) {
      throw new InvalidSettingException("vigil.history.values-disk-share", "must be from 1 to 100");
    }
    if (minutes.compareTo(Duration.ofHours(1)) < 0) {
      throw new InvalidSettingException(
          "vigil.history.minutes", "must be a duration of at least 1h, such as 90d");
    }
    if (hours.compareTo(minutes) < 0) {
      throw new InvalidSettingException(
          "vigil.history.hours", "must be a duration such as 3653d, and not less than minutes");
    }
    if (diskShare < 1 || diskShare > PERCENT) {
      throw new InvalidSettingException("vigil.history.disk-share", "must be from 1 to 100");
    }
  }

  /**
   * The octets that older signed values may take.
   *
   * @param used octets of the database
   * @param usable octets that the disk has left
   */
  long maxValueOctets(long used, long usable) {
    return (used + usable) / PERCENT * valuesDiskShare;
  }

  /**
   * The octets that the database may take.
   *
   * @param used octets of the database
   * @param usable octets that the disk has left
   */
  long maxOctets(long used, long usable) {
    return (used + usable) / PERCENT * diskShare;
  }
}
