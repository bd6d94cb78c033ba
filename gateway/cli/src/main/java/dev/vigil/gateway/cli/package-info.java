/**
 * The command-line verbs that need no Spring context, and their shared code. Each verb has a
 * package below this one and runs on {@code main} of its own process.
 */
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {
      "archive",
      "commanders",
      "files",
      "keylists",
      "records",
      "redaction",
      "store"
    })
@NullMarked
package dev.vigil.gateway.cli;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
