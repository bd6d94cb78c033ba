/**
 * MQTT 5 brokers: publishes values, states of commands and Home Assistant's discovery, and accepts
 * signed commands. Alternatively it acts as an edge node of Sparkplug B ({@link
 * dev.vigil.gateway.northbound.sparkplug.SparkplugDestination}).
 *
 * <p>Threads: a destination's own thread publishes. The client's threads (Netty) deliver received
 * commands to {@link dev.vigil.gateway.northbound.mqtt.MqttCommands}, which does not block because
 * the mirror answers on the store's thread.
 */
@NullMarked
package dev.vigil.gateway.northbound.mqtt;

import org.jspecify.annotations.NullMarked;
