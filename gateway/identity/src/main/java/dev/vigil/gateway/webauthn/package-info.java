/**
 * Ceremonies of passkeys (WebAuthn Level 3): challenges that are answered once, and what an
 * authenticator's answer proves. WebAuthn4J reads and verifies the answers; {@code accounts} keeps
 * the passkeys and begins sessions.
 *
 * <p>Each ceremony runs on the thread of its request. Shared are the challenges, in memory, under
 * the lock of {@link dev.vigil.gateway.webauthn.Challenges}.
 */
@ApplicationModule(allowedDependencies = {"callers", "problems"})
@NullMarked
package dev.vigil.gateway.webauthn;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
