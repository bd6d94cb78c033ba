@NullMarked
package dev.vigil.gateway.publish;

import org.jspecify.annotations.NullMarked;
