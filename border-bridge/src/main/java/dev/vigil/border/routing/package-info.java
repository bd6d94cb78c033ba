/**
 * The network layer of the pipeline: {@code Router} decides where each packet goes; {@code
 * RadioOutput} selects the radio; {@code Dodag} runs the RPL root, {@code TunUplink} the TUN
 * interface, {@code MeshUdpTransport} the UDP ports of the bridge's own host.
 *
 * <p>Threads: all state belongs to the pipeline thread. Californium's and Scandium's threads call
 * {@code MeshUdpTransport}, operators' threads call {@code Dodag}; both calls become tasks of the
 * pipeline. {@code Dodag} publishes snapshots in volatile fields.
 */
@NullMarked
package dev.vigil.border.routing;

import org.jspecify.annotations.NullMarked;
