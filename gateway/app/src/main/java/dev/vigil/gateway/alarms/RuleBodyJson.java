package dev.vigil.gateway.alarms;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.alarms.AlarmRule.Limits;
import dev.vigil.gateway.alarms.AlarmRule.Scope;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An alarm rule in requests. Answers can be sent back: id and source are ignored.
 *
 * @param d domain, "-" for the one without a name; absent: all
 * @param ep pattern of endpoint names, in which * stands for any characters
 * @param path pattern of resource paths, likewise
 * @param above limit; for rejections requests a minute, for the store waiting changes, for the
 *     clock seconds
 * @param below limit; for the disk percent that are free, for the certificate days
 * @param unit SenML unit of the records that count; absent: any
 */
record RuleBodyJson(
    @Nullable String id,
    @Nullable String source,
    @Nullable String name,
    @Nullable Boolean enabled,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable AlarmKind kind,
    @Nullable Severity severity,
    @Nullable String d,
    @Nullable String ep,
    @Nullable String path,
    @Nullable Double above,
    @Nullable Double below,
    @Nullable Double hysteresis,
    @Nullable String unit,
    @Nullable Long holdSeconds,
    @Nullable Long clearSeconds) {
  private static final int MAX_TEXT = 200;
  private static final long MAX_SECONDS = 7 * 86_400;

  /**
   * The rule that a request describes.
   *
   * @throws ErrorResponseException 4.00, names the member that is wrong
   */
  AlarmRule rule() {
    AlarmKind wanted = kind;
    if (wanted == null) {
      throw refused("kind", "is missing");
    }
    Scope scope = new Scope(domain(wanted), text("ep", ep, "*"), text("path", path, "*"));
    requireLimits(wanted);
    return new AlarmRule(
        text("name", name, wanted.label()),
        enabled == null || enabled,
        wanted,
        severity == null ? Severity.WARNING : severity,
        scope,
        new Limits(above, below, notNegative("hysteresis", hysteresis), unit),
        seconds("holdSeconds", holdSeconds),
        seconds("clearSeconds", clearSeconds));
  }

  private @Nullable String domain(AlarmKind wanted) {
    if (d != null && !wanted.isOfDomain()) {
      throw refused("d", "rules of kind " + wanted.label() + " belong to no domain");
    }
    return d == null ? null : DomainNames.named(text("d", d, ""));
  }

  private void requireLimits(AlarmKind wanted) {
    boolean any = above != null || below != null;
    switch (wanted) {
      case VALUE -> require(any, "above", "or below is needed");
      case BATTERY -> {
        require(below != null && above == null, "below", "is needed, and no other limit");
        require(unit == null || unit.equals("%EL") || unit.equals("V"), "unit", "takes %EL or V");
      }
      case REJECTIONS, CLOCK ->
          require(above != null && below == null, "above", "is needed, and no other limit");
      case DISK, CERTIFICATE ->
          require(below != null && above == null, "below", "is needed, and no other limit");
      case STORE -> require(below == null, "below", "does not apply; above: waiting changes");
      case MISSING, RADIO_LOST, KEYS_WAITING, NORTHBOUND -> {
        require(above == null, "above", "does not apply to this kind");
        require(below == null, "below", "does not apply to this kind");
      }
    }
    require(above == null || Double.isFinite(above), "above", "is not a number");
    require(below == null || Double.isFinite(below), "below", "is not a number");
    require(above == null || below == null || below < above, "below", "must be less than above");
    require(
        unit == null || wanted == AlarmKind.VALUE || wanted == AlarmKind.BATTERY,
        "unit",
        "applies to values and batteries only");
  }

  private static double notNegative(String member, @Nullable Double given) {
    require(given == null || given >= 0 && Double.isFinite(given), member, "is less than 0");
    return given == null ? 0 : given;
  }

  private static long seconds(String member, @Nullable Long given) {
    require(
        given == null || given >= 0 && given <= MAX_SECONDS, member, "takes 0 to " + MAX_SECONDS);
    return given == null ? 0 : given;
  }

  private static String text(String member, @Nullable String given, String defaults) {
    require(
        given == null || given.length() <= MAX_TEXT,
        member,
        "has more than " + MAX_TEXT + " characters");
    return given == null ? defaults : given;
  }

  private static void require(boolean holds, String member, String fault) {
    if (!holds) {
      throw refused(member, fault);
    }
  }

  private static ErrorResponseException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}
