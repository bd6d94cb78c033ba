/**
 * The tags that operators give endpoints, and the selection of endpoints by tags and by other
 * properties.
 *
 * <p>Threads: the store's feed thread updates the tags and their counts; any thread may read them.
 */
@ApplicationModule(
    allowedDependencies = {"api", "callers", "labels", "limits", "problems", "records"})
@NullMarked
package dev.vigil.gateway.tags;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
