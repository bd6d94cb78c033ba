/**
 * The audit trail: each decision with its time and its author, read from the store's feed. An entry
 * is stored in the same batch as the change it describes.
 */
@ApplicationModule(allowedDependencies = {"api", "callers", "problems"})
@NullMarked
package dev.vigil.gateway.audit;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
