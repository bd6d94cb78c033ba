/** Serves the web page, which is built from {@code web-ui} into the jar. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.page;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
