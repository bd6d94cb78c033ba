/**
 * The file of IPsec associations: loading, watching, and the REST operations.
 *
 * <p>Threads: {@code associations} looks at the file every second and loads a changed one; requests
 * load it on their own threads. Both do so under the lock of {@code AssociationLoader}.
 */
@ApplicationModule(allowedDependencies = {"api", "bridge", "callers", "problems"})
@NullMarked
package dev.vigil.gateway.associations;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
