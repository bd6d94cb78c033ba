/**
 * The gateway's CoAP server: its lifecycle, its addresses, and DTLS. It runs on the threads of
 * {@code dev.vigil.coap.server} and of the package {@code dtls}.
 */
@ApplicationModule(
    allowedDependencies = {
      "bridge",
      "cluster",
      "duties",
      "files",
      "listening",
      "records",
      "settings",
      "store"
    })
@NullMarked
package dev.vigil.gateway.coap;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
