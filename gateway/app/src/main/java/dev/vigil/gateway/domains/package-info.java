/**
 * Administrative domains: their settings in force (file, store, defaults), the keys of commanders,
 * and how much of their limits is used. Everything is read on the request's thread; changes of
 * records are applied on the store's feed thread.
 */
@ApplicationModule(
    allowedDependencies = {"access", "api", "callers", "problems", "records", "settings"})
@NullMarked
package dev.vigil.gateway.domains;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
