/**
 * The gateway's CoAP server: its lifecycle, its addresses, and DTLS. It runs on the threads of
 * {@code dev.vigil.coap.server}; each DTLS socket has one thread that receives and two that do
 * handshakes, decrypt and encrypt, each connection on one of them at a time.
 */
@ApplicationModule(allowedDependencies = {"bridge", "files", "listening", "settings", "store"})
@NullMarked
package dev.vigil.gateway.coap;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
