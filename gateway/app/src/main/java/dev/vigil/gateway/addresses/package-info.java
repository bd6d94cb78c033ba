/**
 * The addresses at which this gateway listens, and the names by which clients may reach it. Any
 * thread may ask; the machine's addresses are cached for some seconds.
 */
@ApplicationModule(
    allowedDependencies = {"api", "callers", "coap", "listening", "publish", "settings", "tls"})
@NullMarked
package dev.vigil.gateway.addresses;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
