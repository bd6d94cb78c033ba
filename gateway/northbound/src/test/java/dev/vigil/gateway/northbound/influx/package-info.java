@NullMarked
package dev.vigil.gateway.northbound.influx;

import org.jspecify.annotations.NullMarked;
