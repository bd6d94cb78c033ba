/**
 * The terms that describe kinds of alarms, and their inputs and results. No kind is named here.
 * Evaluations and endpoint states are used by the thread {@code alarms}; the rest is immutable.
 */
@NullMarked
package dev.vigil.gateway.alarms.conditions;

import org.jspecify.annotations.NullMarked;
