/**
 * InfluxDB line protocol over HTTP, with a point for each record of a value. A repeated point
 * replaces the earlier one, so repetitions have no effect.
 *
 * <p>Threads: only the destination's own thread.
 */
@NullMarked
package dev.vigil.gateway.northbound.influx;

import org.jspecify.annotations.NullMarked;
