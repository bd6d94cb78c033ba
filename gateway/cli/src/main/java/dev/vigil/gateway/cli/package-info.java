/**
 * The verbs of the command line that need no Spring context, one package below this one each, and
 * what they share. They run on {@code main} of a process of their own.
 */
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {"archive", "commanders", "files", "records", "redaction", "store"})
@NullMarked
package dev.vigil.gateway.cli;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
