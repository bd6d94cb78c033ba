/**
 * Authorization by domain and role, and the operator's token. Decisions are made on the caller's
 * thread from immutable settings and the roles of the caller; only counts of failed attempts are
 * shared, under its own lock.
 */
@ApplicationModule(allowedDependencies = {"api", "files", "settings", "store"})
@NullMarked
package dev.vigil.gateway.access;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
