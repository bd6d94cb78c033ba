/**
 * Keys: lists, decisions of operators, imports. Requests run on virtual threads; decisions are
 * committed on the store's thread.
 */
@ApplicationModule(
    allowedDependencies = {"access", "api", "callers", "keylists", "limits", "problems"})
@NullMarked
package dev.vigil.gateway.keys;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
