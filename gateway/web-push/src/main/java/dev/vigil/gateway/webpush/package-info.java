/**
 * Web push: encrypts messages for browsers (RFC 8291), shows push services who sends (RFC 8292),
 * and sends (RFC 8030). The package {@code browsers} keeps the subscriptions of accounts and
 * delivers alarms to them.
 *
 * <p>Threads: types of this package are immutable or stateless. The destination's thread starts one
 * virtual thread for each message of a page and waits for all of them.
 */
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {
      "access",
      "accounts",
      "api",
      "callers",
      "credentials",
      "northbound",
      "problems",
      "records",
      "settings",
      "store"
    })
@NullMarked
package dev.vigil.gateway.webpush;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
