/**
 * Signing in with a password or through a provider, sessions and API tokens over REST, and the
 * verification of request credentials.
 *
 * <p>Each request runs on its own thread. Threads share the counts of failed attempts, under their
 * own locks, and the records of {@code accounts}.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "accounts",
      "api",
      "callers",
      "credentials",
      "oidc",
      "problems",
      "records",
      "store"
    })
@NullMarked
package dev.vigil.gateway.signin;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
