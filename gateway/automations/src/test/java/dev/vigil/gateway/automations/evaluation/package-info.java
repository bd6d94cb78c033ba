@NullMarked
package dev.vigil.gateway.automations.evaluation;

import org.jspecify.annotations.NullMarked;
