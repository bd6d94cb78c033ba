/** The silences of alarms, which are records. */
@NullMarked
package dev.vigil.gateway.alarms.silences;

import org.jspecify.annotations.NullMarked;
