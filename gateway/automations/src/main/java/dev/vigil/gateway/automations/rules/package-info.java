/**
 * The form of an automation: its conditions, schedule and actions, as stored and as requests
 * describe it, and the search for loops. Immutable types and pure functions.
 */
@NullMarked
package dev.vigil.gateway.automations.rules;

import org.jspecify.annotations.NullMarked;
