/** The gateways on one NATS cluster: their settings, and duties that one of them has. */
@ApplicationModule(allowedDependencies = {"settings"})
@NullMarked
package dev.vigil.gateway.cluster;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
