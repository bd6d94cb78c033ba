package dev.vigil.gateway.alarms.conditions;

/**
 * The default rule of a kind; it watches everything.
 *
 * @param name for people
 * @param holdSeconds how long the condition must last before the alarm is raised
 * @param clearSeconds how long the condition must be over before the alarm is cleared
 */
public record RuleDefaults(
    String name, Severity severity, RuleLimits limits, long holdSeconds, long clearSeconds) {}
