/**
 * The identity key of this gateway, which all gateways of a cluster have, and the secrets that
 * depend on it.
 *
 * <p>Everything happens on {@code main} at the start; the secrets are read by any thread.
 */
@ApplicationModule(allowedDependencies = {"cluster", "records", "store"})
@NullMarked
package dev.vigil.gateway.identity;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
