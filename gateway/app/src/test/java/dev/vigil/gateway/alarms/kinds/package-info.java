@NullMarked
package dev.vigil.gateway.alarms.kinds;

import org.jspecify.annotations.NullMarked;
