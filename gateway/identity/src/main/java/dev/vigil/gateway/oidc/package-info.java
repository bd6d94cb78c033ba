/**
 * Signing in through an OpenID Connect provider: authorization code with PKCE, state and nonce.
 * Spring Security exchanges the code and checks the ID token; {@code accounts} begins the session.
 *
 * <p>Each sign-in runs on the thread of its request. Threads share the provider's metadata, which
 * is read at the first use under the lock of {@link dev.vigil.gateway.oidc.ProviderClient}. The
 * browser holds pending sign-ins in a cookie; the gateway keeps no state about them.
 */
@ApplicationModule(allowedDependencies = {"access", "files", "settings", "store"})
@NullMarked
package dev.vigil.gateway.oidc;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
