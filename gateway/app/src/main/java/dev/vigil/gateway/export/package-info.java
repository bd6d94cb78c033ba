/**
 * The REST operations that export archives of readings, and aggregates; the format of archives is
 * in {@link dev.vigil.gateway.archive}.
 *
 * <p>Threads: an export is written by the virtual thread of its request, one page of the store at a
 * time.
 */
@ApplicationModule(
    allowedDependencies = {
      "api",
      "archive",
      "callers",
      "limits",
      "problems",
      "store",
      "tags",
      "units"
    })
@NullMarked
package dev.vigil.gateway.export;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
