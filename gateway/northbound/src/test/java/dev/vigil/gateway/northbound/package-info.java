@NullMarked
package dev.vigil.gateway.northbound;

import org.jspecify.annotations.NullMarked;
