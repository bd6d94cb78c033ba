/**
 * The rules that raise alarms: the stored rules of operators, the default rules, and their JSON.
 * Records are read and written on any thread.
 */
@NullMarked
package dev.vigil.gateway.alarms.rules;

import org.jspecify.annotations.NullMarked;
