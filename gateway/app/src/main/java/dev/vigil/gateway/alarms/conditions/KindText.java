package dev.vigil.gateway.alarms.conditions;

/**
 * The texts of a kind of alarm in one language.
 *
 * @param name for instance "disk nearly full"
 * @param condition begins a clause that the limits complete, for instance "free space in percent
 *     is"
 * @param measure unit of the limits, for instance "percent free"; empty: the rule has a SenML unit,
 *     or no limits
 */
public record KindText(String name, String condition, String measure) {}
