/**
 * Sparkplug B over MQTT: births, data and deaths of the gateway as an edge node. Each destination
 * runs on the virtual thread that {@link dev.vigil.gateway.northbound.Northbound} gives it;
 * callbacks of the MQTT client only set flags.
 */
@NullMarked
package dev.vigil.gateway.northbound.sparkplug;

import org.jspecify.annotations.NullMarked;
