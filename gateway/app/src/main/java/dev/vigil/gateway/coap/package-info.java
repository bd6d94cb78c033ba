/**
 * The gateway's CoAP server: its lifecycle and its addresses. It runs on the threads of {@code
 * dev.vigil.coap.server} and of the module {@code coap.dtls}.
 */
@ApplicationModule(allowedDependencies = {"bridge", "coap.dtls", "listening", "settings", "store"})
@NullMarked
package dev.vigil.gateway.coap;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
