@NullMarked
package dev.vigil.gateway.automations.rules;

import org.jspecify.annotations.NullMarked;
