/**
 * Accounts with their passwords, sessions and passkeys. The packages {@code signin} and {@code
 * passkeys} implement signing in; {@code access} decides what callers may do.
 *
 * <p>All of them are records of the store. Requests read the records' projections on their own
 * threads. Changes of accounts are serialized by the lock of {@link
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
