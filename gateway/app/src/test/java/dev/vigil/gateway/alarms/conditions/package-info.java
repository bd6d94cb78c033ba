@NullMarked
package dev.vigil.gateway.alarms.conditions;

import org.jspecify.annotations.NullMarked;
