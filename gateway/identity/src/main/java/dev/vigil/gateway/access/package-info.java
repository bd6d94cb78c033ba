/**
 * Authorization by domain and role, and the operator's token. Each decision runs on the caller's
 * thread and uses immutable settings and the caller's roles. Only the counts of failed attempts are
 * shared, under their own lock.
 */
@ApplicationModule(allowedDependencies = {"api", "files", "settings", "store"})
@NullMarked
package dev.vigil.gateway.access;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
