/**
 * The credentials of HTTP requests: headers, cookies, hashes of passwords, protection against other
 * sites. Verified once per request, on its thread. At most two passwords are hashed at a time.
 */
@ApplicationModule(allowedDependencies = {"access", "callers", "problems"})
@NullMarked
package dev.vigil.gateway.credentials;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
