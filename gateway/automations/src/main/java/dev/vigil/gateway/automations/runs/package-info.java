/**
 * The runs of automations with the results of their actions, and the part of their state that
 * survives a restart. Thread-safe.
 */
@NullMarked
package dev.vigil.gateway.automations.runs;

import org.jspecify.annotations.NullMarked;
