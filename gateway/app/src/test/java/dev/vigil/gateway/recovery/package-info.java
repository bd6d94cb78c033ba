@NullMarked
package dev.vigil.gateway.recovery;

import org.jspecify.annotations.NullMarked;
