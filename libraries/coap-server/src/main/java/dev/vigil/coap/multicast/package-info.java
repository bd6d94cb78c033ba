/**
 * UDP connectors for Californium, and CoAP multicast (RFC 7252 section 8): {@link
 * dev.vigil.coap.multicast.MulticastConnector} receives requests to the groups "All CoAP Nodes" and
 * "All CoRE Resource Directories", and {@link dev.vigil.coap.multicast.MulticastRequestHandler}
 * answers requests on routes that allow it.
 *
 * <p>Threads: {@link dev.vigil.coap.multicast.DirectUdpConnector} has one receiver thread and sends
 * on the thread that calls it. Each connector with multicast has one more thread, which opens and
 * reads the sockets of the groups ({@code MulticastReceiver}).
 */
@NullMarked
package dev.vigil.coap.multicast;

import org.jspecify.annotations.NullMarked;
