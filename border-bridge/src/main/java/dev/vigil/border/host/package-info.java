/**
 * The bridge's own IPv6 host in user space: UDP and ICMPv6, a Californium connector, and a socket
 * for DTLS, so that CoAP and CoAPS are served over the radio without a kernel interface and without
 * root.
 *
 * <p>Threads: {@code Host} belongs to the pipeline thread. {@code MeshConnector} is called by
 * Californium's threads, which it answers without blocking: a message to send becomes a task of the
 * pipeline, a received one is handed to Californium's own executor. {@code MeshSocket} leaves what
 * comes for its reader, a thread of Scandium's.
 */
@NullMarked
package dev.vigil.border.host;

import org.jspecify.annotations.NullMarked;
