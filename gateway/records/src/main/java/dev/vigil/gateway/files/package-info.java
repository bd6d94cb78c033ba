/**
 * Files that hold secrets, keys and certificates: who may read them, and PEM. Any thread may use
 * these functions; they keep no state.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.files;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
