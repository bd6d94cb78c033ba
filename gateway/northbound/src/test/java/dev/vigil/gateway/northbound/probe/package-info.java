@NullMarked
package dev.vigil.gateway.northbound.probe;

import org.jspecify.annotations.NullMarked;
