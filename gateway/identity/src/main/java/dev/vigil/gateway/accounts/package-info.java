/**
 * Accounts with their passwords, sessions and API tokens: who a caller over HTTP is. What callers
 * may do is decided in {@code access}.
 *
 * <p>All of them are records of the store. Requests read them on their own threads from the
 * records' projections; changes of accounts are made one at a time, under the lock of {@link
 * dev.vigil.gateway.accounts.Accounts}. At most two passwords are hashed at a time.
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
      "store",
      "webauthn"
    })
@NullMarked
package dev.vigil.gateway.accounts;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
