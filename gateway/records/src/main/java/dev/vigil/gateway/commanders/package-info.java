/** The private key of a commander and the commands that it signs. Immutable and thread-safe. */
@ApplicationModule(allowedDependencies = {"files"})
@NullMarked
package dev.vigil.gateway.commanders;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
