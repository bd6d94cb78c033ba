/**
 * The lease by which the gateways of a cluster decide who has the {@link
 * dev.vigil.gateway.cluster.Duty duties}. A gateway without a cluster has them while it runs.
 *
 * <p>Threads: {@code duties} renews the lease, and begins and ends the duties. Any thread may ask
 * who has them.
 */
@ApplicationModule(allowedDependencies = {"cluster", "records", "store"})
@NullMarked
package dev.vigil.gateway.duties;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
