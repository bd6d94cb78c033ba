@NullMarked
package dev.vigil.gateway.alarms.evaluation;

import org.jspecify.annotations.NullMarked;
