/**
 * The rules that raise alarms: those that operators stored, the defaults, and their JSON. Records
 * are read and written on any thread.
 */
@NullMarked
package dev.vigil.gateway.alarms.rules;

import org.jspecify.annotations.NullMarked;
