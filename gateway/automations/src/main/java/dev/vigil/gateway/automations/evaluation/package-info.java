/**
 * Decides when an automation acts. Time comes in: the gateway gives it the readings as they arrive,
 * and a dry run gives it those of the last days. An evaluator belongs to one thread.
 */
@NullMarked
package dev.vigil.gateway.automations.evaluation;

import org.jspecify.annotations.NullMarked;
