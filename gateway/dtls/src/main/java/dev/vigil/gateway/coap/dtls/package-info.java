/**
 * The DTLS server: its sockets, its fair share of connections, the sessions that outlast a restart,
 * and the connection IDs by which the gateways of a cluster forward records to each other.
 *
 * <p>Threads: each socket has one thread that receives and two that do handshakes, decrypt and
 * encrypt, each connection on one of them at a time; in a cluster, one more receives what other
 * gateways forward. {@code main} restores sessions before the sockets are open and saves them after
 * they are closed.
 */
@ApplicationModule(allowedDependencies = {"cluster", "duties", "files", "records", "store"})
@NullMarked
package dev.vigil.gateway.coap.dtls;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
