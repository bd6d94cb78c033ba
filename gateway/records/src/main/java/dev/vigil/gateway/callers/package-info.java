/**
 * The caller of an HTTP request: identity, source address, and whether it is a program on this
 * machine. Request attributes hold the identity. Everything is read on the request's thread.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.callers;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
