package dev.vigil.gateway.alarms.conditions;

import org.jspecify.annotations.Nullable;

/**
 * A kind of alarm as the API and the pages show it.
 *
 * @param label its name in the API and in stored records: lower case with hyphens; never changes
 * @param fields the fields of the kind's rules
 * @param defaults the rule that exists from the start, with the label as its id; null: none
 */
public record KindDescription(
    String label,
    RuleFields fields,
    @Nullable RuleDefaults defaults,
    KindText english,
    KindText german) {}
