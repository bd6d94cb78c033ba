@NullMarked
package dev.vigil.gateway.clock;

import org.jspecify.annotations.NullMarked;
