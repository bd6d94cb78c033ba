@NullMarked
package dev.vigil.gateway.alarms;

import org.jspecify.annotations.NullMarked;
