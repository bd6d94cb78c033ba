/**
 * Passkeys (WebAuthn Level 3): challenges for one answer, verification of authenticators' answers,
 * and signing in. WebAuthn4J reads and verifies the answers; {@code accounts} stores the passkeys.
 *
 * <p>Each ceremony runs on the thread of its request. Threads share the challenges in memory, under
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
