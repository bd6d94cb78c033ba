package dev.vigil.gateway.alarms.rules;

import dev.vigil.gateway.alarms.conditions.RuleFields;
import dev.vigil.gateway.alarms.conditions.RuleFields.LimitUse;
import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.tags.TagGrammar;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An alarm rule in requests. An answer can be sent back unchanged: id and source are ignored.
 *
 * @param d domain, "-" for the one without a name; absent: all
 * @param ep pattern of endpoint names, in which * stands for any characters
 * @param path pattern of resource paths, likewise
 * @param tags that an endpoint must have, all of them, at most 32; absent: any
 * @param above limit: requests a minute for rejections, waiting changes for the store, seconds for
 *     the clock
 * @param below limit: percent free for the disk, days for the certificate
 * @param unit SenML unit of the records that count; absent: any
 */
public record RuleBodyJson(
    @Nullable String id,
    @Nullable String source,
    @Nullable String name,
    @Nullable Boolean enabled,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable AlarmKind kind,
    @Nullable Severity severity,
    @Nullable String d,
    @Nullable String ep,
    @Nullable String path,
    @Nullable List<String> tags,
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
   * @throws ProblemException 4.00, names the member that is wrong
   */
  public AlarmRule rule() {
    AlarmKind wanted = kind;
    if (wanted == null) {
      throw refused("kind", "is missing");
    }
    RuleScope scope =
        new RuleScope(domain(wanted), text("ep", ep, "*"), text("path", path, "*"), tags(wanted));
    requireLimits(wanted.description().fields());
    return new AlarmRule(
        text("name", name, wanted.label()),
        enabled == null || enabled,
        wanted,
        severity == null ? Severity.WARNING : severity,
        scope,
        new RuleLimits(above, below, notNegative("hysteresis", hysteresis), unit),
        seconds("holdSeconds", holdSeconds),
        seconds("clearSeconds", clearSeconds));
  }

  private @Nullable String domain(AlarmKind wanted) {
    if (d != null && !wanted.description().fields().isOfDomain()) {
      throw refused("d", "rules of kind " + wanted.label() + " belong to no domain");
    }
    return d == null ? null : DomainNames.named(text("d", d, ""));
  }

  private List<String> tags(AlarmKind wanted) {
    List<String> all = TagGrammar.tags("tags", tags);
    if (!all.isEmpty()) {
      require(wanted.description().fields().isOfEndpoint(), "tags", "do not apply to this kind");
      require(ep == null || !ep.isEmpty(), "tags", "need ep, because each endpoint is watched");
    }
    return all;
  }

  private void requireLimits(RuleFields fields) {
    requireLimit("above", above, fields.above());
    requireLimit("below", below, fields.below());
    require(
        fields.above() != LimitUse.EITHER || above != null || below != null,
        "above",
        "is missing; above or below is needed");
    require(above == null || below == null || below < above, "below", "must be less than above");
    List<String> units = fields.units();
    require(unit == null || units != null, "unit", "does not apply to this kind");
    if (unit != null && units != null && !units.isEmpty()) {
      require(units.contains(unit), "unit", "takes " + String.join(" or ", units));
    }
  }

  private static void requireLimit(String member, @Nullable Double given, @Nullable LimitUse use) {
    require(given == null || use != null, member, "does not apply to this kind");
    require(given != null || use != LimitUse.NEEDED, member, "is needed");
    require(given == null || Double.isFinite(given), member, "is not a number");
  }

  private static double notNegative(String member, @Nullable Double given) {
    require(given == null || given >= 0 && Double.isFinite(given), member, "takes 0 or more");
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

  private static ProblemException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}
