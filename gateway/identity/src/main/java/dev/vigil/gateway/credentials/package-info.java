/**
 * The credentials of HTTP requests: headers, cookies, protection against other sites. Verified once
 * per request, on its thread.
 */
@ApplicationModule(allowedDependencies = {"callers", "problems"})
@NullMarked
package dev.vigil.gateway.credentials;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
