/**
 * The addresses at which the servers listen. {@code main} reads them for the {@code ready} line;
 * requests read them for links to this gateway.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.listening;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
