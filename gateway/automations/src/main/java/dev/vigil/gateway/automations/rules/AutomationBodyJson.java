package dev.vigil.gateway.automations.rules;

import dev.vigil.gateway.api.DomainNames;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An automation in requests. An answer can be sent back unchanged: id, saved and status are
 * ignored.
 *
 * @param name at most 100 characters; absent: the id
 * @param d domain of its endpoints, "-" for the one without a name; absent: "-"
 * @param enabled absent: true
 * @param match absent: all
 * @param conditions at most 8; none only with a schedule
 * @param holdSeconds 0 to 604800; absent: 0
 * @param cooldownSeconds 0 to 604800; absent: 60
 * @param maxRunsPerHour 1 to 360, after which it is suspended; absent: 60
 * @param actions 1 to 4
 */
@Schema(name = "AutomationBody")
public record AutomationBodyJson(
    @Nullable String id,
    @Nullable String name,
    @Nullable String d,
    @Nullable Boolean enabled,
    @Nullable Match match,
    @Nullable List<@Nullable ConditionBodyJson> conditions,
    @Nullable ScheduleBodyJson schedule,
    @Nullable Long holdSeconds,
    @Nullable Long cooldownSeconds,
    @Nullable Integer maxRunsPerHour,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable List<@Nullable ActionBodyJson> actions,
    @Schema(type = "object") @Nullable Object saved,
    @Schema(type = "object") @Nullable Object status) {
  private static final int MAX_CONDITIONS = 8;
  private static final int MAX_ACTIONS = 4;
  private static final long WEEK = 7 * 86_400;
  private static final long DEFAULT_COOLDOWN = 60;
  private static final int DEFAULT_RUNS = 60;
  private static final int MAX_RUNS = 360;
  private static final Pattern TIME = Pattern.compile("[0-2][0-9]:[0-5][0-9]");

  /** The members of {@link AutomationCondition}; missing ones are null. */
  @Schema(name = "AutomationConditionBody")
  public record ConditionBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable ConditionKind kind,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String ep,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String path,
      @Nullable String record,
      @Nullable String unit,
      @Nullable Double above,
      @Nullable Double below,
      @Nullable Double hysteresis,
      @Nullable Long perSeconds,
      @Nullable Long seconds) {}

  /** The members of {@link AutomationSchedule}; missing ones are null. */
  @Schema(name = "AutomationScheduleBody")
  public record ScheduleBodyJson(
      @Nullable List<@Nullable String> days,
      @Nullable String from,
      @Nullable String to,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String zone) {}

  /** The members of {@link AutomationAction}; missing ones are null. */
  @Schema(name = "AutomationActionBody")
  public record ActionBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable ActionKind kind,
      @Nullable String ep,
      @Nullable String path,
      @Schema(types = {"number", "string", "boolean"}) @Nullable Object value,
      @Nullable Long expiresSeconds,
      @Nullable String destination,
      @Nullable String topic,
      @Nullable String payload,
      @Nullable String text) {}

  /**
   * The domain that the body names.
   *
   * @throws dev.vigil.gateway.problems.ProblemException 4.00
   */
  public String domain() {
    return d == null || d.equals(DomainNames.NAMELESS) ? "" : Members.name("d", d);
  }

  /**
   * The automation that a request describes.
   *
   * @param called its id
   * @param by the account that saves it
   * @param byMade the time at which the account was made; null for the operator's token
   * @throws dev.vigil.gateway.problems.ProblemException 4.00, names the member that is wrong
   */
  public Automation automation(
      String called, String by, @Nullable Instant byMade, Instant savedAt) {
    List<AutomationCondition> readConditions = readConditions();
    AutomationSchedule span = schedule == null ? null : schedule(schedule);
    Members.require(
        !readConditions.isEmpty() || span != null,
        "conditions",
        "is empty: an automation needs a condition or a schedule");
    return new Automation(
        name == null || name.isBlank() ? called : Members.title("name", name),
        domain(),
        enabled == null || enabled,
        match == null ? Match.ALL : match,
        readConditions,
        span,
        Members.within("holdSeconds", holdSeconds, 0, WEEK, 0),
        Members.within("cooldownSeconds", cooldownSeconds, 0, WEEK, DEFAULT_COOLDOWN),
        (int)
            Members.within(
                "maxRunsPerHour",
                maxRunsPerHour == null ? null : maxRunsPerHour.longValue(),
                1,
                MAX_RUNS,
                DEFAULT_RUNS),
        readActions(),
        by,
        byMade,
        savedAt);
  }

  private List<AutomationCondition> readConditions() {
    List<@Nullable ConditionBodyJson> given = conditions == null ? List.of() : conditions;
    Members.require(
        given.size() <= MAX_CONDITIONS, "conditions", "has more than " + MAX_CONDITIONS + " items");
    List<AutomationCondition> read = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String at = "conditions[" + i + "]";
      read.add(ConditionReader.condition(at, Members.present(at, given.get(i))));
    }
    return read;
  }

  private List<AutomationAction> readActions() {
    List<@Nullable ActionBodyJson> given = actions == null ? List.of() : actions;
    Members.require(!given.isEmpty(), "actions", "is empty: an automation needs an action");
    Members.require(
        given.size() <= MAX_ACTIONS, "actions", "has more than " + MAX_ACTIONS + " items");
    List<AutomationAction> read = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String at = "actions[" + i + "]";
      read.add(ActionReader.action(at, Members.present(at, given.get(i))));
    }
    return read;
  }

  private static AutomationSchedule schedule(ScheduleBodyJson given) {
    List<String> days = new ArrayList<>();
    List<@Nullable String> wanted =
        given.days() == null ? new ArrayList<>(AutomationSchedule.DAYS) : given.days();
    for (String day : AutomationSchedule.DAYS) {
      if (wanted.contains(day)) {
        days.add(day);
      }
    }
    Members.require(
        !days.isEmpty() && wanted.stream().allMatch(days::contains),
        "schedule.days",
        "takes some of " + String.join(", ", AutomationSchedule.DAYS));
    String zone = Members.present("schedule.zone", given.zone());
    Members.require(
        ZoneId.getAvailableZoneIds().contains(zone),
        "schedule.zone",
        "is no name of the IANA time zone database, such as Europe/Berlin");
    return new AutomationSchedule(
        days,
        time("schedule.from", Objects.requireNonNullElse(given.from(), "00:00")),
        time("schedule.to", Objects.requireNonNullElse(given.to(), "00:00")),
        zone);
  }

  private static String time(String member, String given) {
    try {
      if (TIME.matcher(given).matches()) {
        return LocalTime.parse(given).format(DateTimeFormatter.ofPattern("HH:mm"));
      }
    } catch (DateTimeParseException e) {
      // Reported below.
    }
    throw Members.refused(member, "takes a time such as 06:30");
  }
}
