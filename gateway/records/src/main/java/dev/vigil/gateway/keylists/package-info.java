/** Lists of keys in files and requests: JWK sets and CSV tables. Pure functions. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.keylists;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
