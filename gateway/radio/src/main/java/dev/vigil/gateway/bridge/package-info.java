/**
 * The border bridge inside the gateway: settings of radios and the TUN device, start and stop,
 * health and metrics of radios, and the mesh addresses of endpoints.
 *
 * <p>Threads: {@code main} starts and stops the bridge, which has its own threads. Other packages
 * may read it from any thread.
 */
@ApplicationModule(
    allowedDependencies = {"cluster", "listening", "problems", "records", "settings", "store"})
@NullMarked
package dev.vigil.gateway.bridge;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
