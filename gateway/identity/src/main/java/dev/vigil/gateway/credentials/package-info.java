/**
 * The credentials of HTTP requests: headers, cookies, password hashes, protection against other
 * sites. Credentials are verified once per request, on the request's thread. At most two passwords
 * are hashed at a time.
 */
@ApplicationModule(allowedDependencies = {"access", "callers", "problems"})
@NullMarked
package dev.vigil.gateway.credentials;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
