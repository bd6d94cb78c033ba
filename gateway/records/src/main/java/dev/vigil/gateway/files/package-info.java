/**
 * Files with secrets, keys and certificates: access rights and PEM. The functions keep no state, so
 * any thread may call them.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.files;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
