/**
 * The verb {@code migrate}, which moves the data of a gateway into a cluster and back. It needs no
 * Spring and runs on {@code main}.
 */
@ApplicationModule(allowedDependencies = {"cluster", "store"})
@NullMarked
package dev.vigil.gateway.migration;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
