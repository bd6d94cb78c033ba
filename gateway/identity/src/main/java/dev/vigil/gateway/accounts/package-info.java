/**
 * Accounts with their passwords, sessions and passkeys. Signing in is in {@code signin} and {@code
 * passkeys}; what callers may do is decided in {@code access}.
 *
 * <p>All of them are records of the store. Requests read them on their own threads from the
 * records' projections; changes of accounts are made one at a time, under the lock of {@link
 * dev.vigil.gateway.accounts.Accounts}.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "api",
      "callers",
      "credentials",
      "files",
      "oidc",
      "problems",
      "records",
      "settings",
      "store"
    })
@NullMarked
package dev.vigil.gateway.accounts;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
