/**
 * Signing in through an OpenID Connect provider: authorization code with PKCE, state and nonce.
 * Spring Security exchanges the code and checks the ID token; {@code accounts} begins the session.
 *
 * <p>Each sign-in runs on the thread of its request. Shared is the provider's metadata, read when
 * it is first needed, under the lock of {@link dev.vigil.gateway.oidc.ProviderClient}. Nothing is
 * kept about sign-ins that have begun: the browser holds them in a cookie.
 */
@ApplicationModule(allowedDependencies = {"access", "files", "settings"})
@NullMarked
package dev.vigil.gateway.oidc;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
