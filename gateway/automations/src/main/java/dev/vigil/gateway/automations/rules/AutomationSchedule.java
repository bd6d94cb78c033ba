package dev.vigil.gateway.automations.rules;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * The local times at which an automation may act. When daylight saving time begins or ends, a part
 * of the span may be missing or come twice.
 *
 * @param days mon, tue, wed, thu, fri, sat, sun: the days on which the span begins
 * @param from first minute, for instance 22:00
 * @param to end, exclusive; before or at from: on the next day
 * @param zone of the IANA time zone database, for instance Europe/Berlin
 */
@Schema(name = "AutomationSchedule")
public record AutomationSchedule(List<String> days, String from, String to, String zone) {
  /** The labels of the days of a week, beginning with Monday. */
  static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  public AutomationSchedule {
    days = List.copyOf(days);
  }

  /** Whether a time lies within it. */
  public boolean includes(Instant at) {
    ZonedDateTime local = at.atZone(ZoneId.of(zone));
    LocalTime time = local.toLocalTime();
    LocalTime start = LocalTime.parse(from);
    LocalTime end = LocalTime.parse(to);
    if (start.isBefore(end)) {
      return has(local.getDayOfWeek()) && !time.isBefore(start) && time.isBefore(end);
    }
    return has(local.getDayOfWeek()) && !time.isBefore(start)
        || has(local.getDayOfWeek().minus(1)) && time.isBefore(end);
  }

  private boolean has(DayOfWeek day) {
    return days.contains(DAYS.get(day.getValue() - 1));
  }
}
