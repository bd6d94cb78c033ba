/**
 * The certificate of HTTPS: the one of the settings, or one that a local authority in the data
 * folder issues and renews. {@code LocalAuthority} is synchronized: the start and the renewal's
 * thread use it.
 */
@ApplicationModule(allowedDependencies = {"files", "settings", "store"})
@NullMarked
package dev.vigil.gateway.tls;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
