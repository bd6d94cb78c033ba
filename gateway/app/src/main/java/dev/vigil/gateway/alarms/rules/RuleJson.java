package dev.vigil.gateway.alarms.rules;

import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.api.DomainNames;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An alarm rule in answers.
 *
 * @param source default, or store: an operator made or changed it
 * @param d domain, "-" for the one without a name; absent: all
 * @param ep pattern of endpoint names, in which * stands for any characters
 * @param path pattern of resource paths, likewise
 * @param tags that an endpoint must have, all of them
 * @param above limit: requests a minute for rejections, waiting changes for the store, seconds for
 *     the clock
 * @param below limit: percent free for the disk, days for the certificate
 * @param unit SenML unit of the records that count; absent: any
 * @param hysteresis how far the value must come back for the alarm to be cleared
 * @param holdSeconds how long the condition must hold before the alarm is raised
 * @param clearSeconds how long the condition must be over before the alarm is cleared
 */
public record RuleJson(
    String id,
    @Schema(allowableValues = {"default", "store"}) String source,
    String name,
    boolean enabled,
    AlarmKind kind,
    Severity severity,
    @Nullable String d,
    String ep,
    String path,
    List<String> tags,
    @Nullable Double above,
    @Nullable Double below,
    double hysteresis,
    @Nullable String unit,
    long holdSeconds,
    long clearSeconds) {
  public static RuleJson of(RuleBook.Entry entry) {
    AlarmRule rule = entry.rule();
    RuleScope scope = rule.scope();
    RuleLimits limits = rule.limits();
    String d = scope.d();
    return new RuleJson(
        entry.id(),
        entry.isDefault() ? "default" : "store",
        rule.name(),
        rule.enabled(),
        rule.kind(),
        rule.severity(),
        d != null && d.isEmpty() ? DomainNames.NAMELESS : d,
        scope.ep(),
        scope.path(),
        scope.tags(),
        limits.above(),
        limits.below(),
        limits.hysteresis(),
        limits.unit(),
        rule.holdSeconds(),
        rule.clearSeconds());
  }
}
