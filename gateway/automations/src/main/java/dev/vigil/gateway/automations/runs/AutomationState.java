package dev.vigil.gateway.automations.runs;

import dev.vigil.gateway.automations.evaluation.EvaluatorMemory;

/**
 * The stored state of an automation.
 *
 * @param version of the automation to which it belongs; a changed automation begins anew
 * @param storedAt unix time in milliseconds up to which readings were evaluated
 */
public record AutomationState(long version, EvaluatorMemory memory, long storedAt) {}
