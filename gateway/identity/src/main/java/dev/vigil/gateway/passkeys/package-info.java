/**
 * Passkeys (WebAuthn Level 3): challenges that are answered once, what an authenticator's answer
 * proves, and signing in with it. WebAuthn4J reads and verifies the answers; {@code accounts} keeps
 * the passkeys.
 *
 * <p>Each ceremony runs on the thread of its request. Shared are the challenges, in memory, under
 * the lock of {@link dev.vigil.gateway.passkeys.Challenges}.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "accounts",
      "api",
      "callers",
      "credentials",
      "problems",
      "records",
      "signin"
    })
@NullMarked
package dev.vigil.gateway.passkeys;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
