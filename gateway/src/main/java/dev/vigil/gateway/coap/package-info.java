/**
 * The gateway's CoAP front: when it starts and stops, and what it listens on. Its threads are those
 * of {@code dev.vigil.directory.coap}.
 */
@NullMarked
package dev.vigil.gateway.coap;

import org.jspecify.annotations.NullMarked;
