package dev.vigil.gateway.automations.rules;

import dev.vigil.gateway.automations.rules.AutomationBodyJson.ConditionBodyJson;
import org.jspecify.annotations.Nullable;

/** Reads a condition of a request. */
final class ConditionReader {
  private static final int MAX_TEXT = 200;
  private static final int MAX_PATH = 255;
  private static final long DAY = 86_400;
  private static final long MONTH = 31 * DAY;

  private ConditionReader() {}

  static AutomationCondition condition(String at, ConditionBodyJson body) {
    ConditionKind kind = Members.present(at + ".kind", body.kind());
    String ep = Members.name(at + ".ep", Members.present(at + ".ep", body.ep()));
    String path = path(at + ".path", body.path());
    String record = optional(at + ".record", body.record());
    String unit = optional(at + ".unit", body.unit());
    return switch (kind) {
      case VALUE -> {
        Members.absent(at + ".perSeconds", body.perSeconds());
        Members.absent(at + ".seconds", body.seconds());
        requireLimits(at, body);
        yield new AutomationCondition(
            kind,
            ep,
            path,
            record,
            unit,
            body.above(),
            body.below(),
            hysteresis(at, body),
            null,
            null);
      }
      case RATE -> {
        Members.absent(at + ".seconds", body.seconds());
        requireLimits(at, body);
        Members.present(at + ".perSeconds", body.perSeconds());
        long per = Members.within(at + ".perSeconds", body.perSeconds(), 1, DAY, 1);
        yield new AutomationCondition(
            kind,
            ep,
            path,
            record,
            unit,
            body.above(),
            body.below(),
            hysteresis(at, body),
            per,
            null);
      }
      case AGE -> {
        Members.absent(at + ".record", record);
        Members.absent(at + ".unit", unit);
        Members.absent(at + ".above", body.above());
        Members.absent(at + ".below", body.below());
        Members.absent(at + ".perSeconds", body.perSeconds());
        Members.require(
            body.hysteresis() == null || body.hysteresis() == 0,
            at + ".hysteresis",
            "does not apply to this kind");
        Members.present(at + ".seconds", body.seconds());
        long age = Members.within(at + ".seconds", body.seconds(), 1, MONTH, 1);
        yield new AutomationCondition(kind, ep, path, null, null, null, null, 0, null, age);
      }
    };
  }

  static String path(String member, @Nullable String given) {
    String path = Members.line(member, Members.present(member, given), MAX_PATH);
    Members.require(!path.startsWith("/"), member, "must not begin with a slash");
    return path;
  }

  private static @Nullable String optional(String member, @Nullable String given) {
    return given == null || given.isEmpty() ? null : Members.line(member, given, MAX_TEXT);
  }

  private static void requireLimits(String at, ConditionBodyJson body) {
    Double above = body.above();
    Double below = body.below();
    Members.require(
        above != null || below != null, at + ".above", "is missing; above or below is needed");
    Members.require(
        above == null || Double.isFinite(above), at + ".above", "is not a finite number");
    Members.require(
        below == null || Double.isFinite(below), at + ".below", "is not a finite number");
    Members.require(
        above == null || below == null || below < above, at + ".below", "must be less than above");
  }

  private static double hysteresis(String at, ConditionBodyJson body) {
    Double given = body.hysteresis();
    Members.require(
        given == null || given >= 0 && Double.isFinite(given),
        at + ".hysteresis",
        "takes 0 or more");
    return given == null ? 0 : given;
  }
}
