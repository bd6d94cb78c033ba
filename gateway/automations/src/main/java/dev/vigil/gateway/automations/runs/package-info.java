/**
 * What automations did: their runs with the results of the actions, and the part of their state
 * that survives a restart. Thread-safe.
 */
@NullMarked
package dev.vigil.gateway.automations.runs;

import org.jspecify.annotations.NullMarked;
