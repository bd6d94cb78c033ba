/**
 * The gateway's CoAP front: when it starts and stops, what it listens on, and how DTLS knows its
 * peers. Its threads are those of {@code dev.vigil.directory.coap}; each DTLS socket has one that
 * receives and two that shake hands, decrypt and encrypt, one connection on one of them at a time.
 */
@NullMarked
package dev.vigil.gateway.coap;

import org.jspecify.annotations.NullMarked;
