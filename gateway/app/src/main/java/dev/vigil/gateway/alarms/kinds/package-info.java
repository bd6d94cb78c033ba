/**
 * The kinds of alarms, one in each file. They have no state; the thread {@code alarms} evaluates
 * them. {@link dev.vigil.gateway.alarms.kinds.AlarmKind} lists them.
 */
@NullMarked
package dev.vigil.gateway.alarms.kinds;

import org.jspecify.annotations.NullMarked;
