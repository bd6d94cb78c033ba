/**
 * What the kinds of alarms are described with, and what they read and report. It knows no kind.
 * Evaluations and endpoint states are used by the thread {@code alarms}; the rest is immutable.
 */
@NullMarked
package dev.vigil.gateway.alarms.conditions;

import org.jspecify.annotations.NullMarked;
