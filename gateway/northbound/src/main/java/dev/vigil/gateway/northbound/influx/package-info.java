/**
 * InfluxDB line protocol over HTTP: a point for each record of a value. A point that is written
 * again replaces itself, so that repetitions leave no trace.
 *
 * <p>Threads: a destination's own thread alone.
 */
@NullMarked
package dev.vigil.gateway.northbound.influx;

import org.jspecify.annotations.NullMarked;
