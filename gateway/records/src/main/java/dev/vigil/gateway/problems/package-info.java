/**
 * Problems of requests (RFC 9457): the problem types, the exception that carries a type, and
 * problem documents. Stateless and thread-safe.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.problems;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
