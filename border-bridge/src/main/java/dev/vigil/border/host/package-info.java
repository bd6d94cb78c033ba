/**
 * The bridge's own IPv6 host in user space: UDP and ICMPv6, a Californium connector, and a socket
 * for DTLS. It serves CoAP and CoAPS over the radio without a kernel interface and without root.
 *
 * <p>Threads: {@code Host} belongs to the pipeline thread. Californium's threads call {@code
 * MeshConnector}, which never blocks: an outgoing message becomes a task of the pipeline, and a
 * received message is passed to Californium's executor. {@code MeshSocket} queues received
 * datagrams for its reader, a Scandium thread.
 */
@NullMarked
package dev.vigil.border.host;

import org.jspecify.annotations.NullMarked;
