@NullMarked
package dev.vigil.gateway.launch;

import org.jspecify.annotations.NullMarked;
