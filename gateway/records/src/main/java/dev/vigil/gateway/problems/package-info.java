/**
 * Problems of requests (RFC 9457): the list of types, the exception that carries one, and problem
 * documents. Stateless, for any thread.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.problems;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
