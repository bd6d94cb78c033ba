/**
 * Automations: conditions on readings that send commands, events and messages, and their REST. The
 * packages below this one: {@code rules}, their form; {@code evaluation}, which decides when they
 * act; {@code history}, the stored readings; {@code runs}, what they did; {@code actions}, which
 * sends.
 *
 * <p>Threads: requests read and write on their own threads. The thread {@code automations} has all
 * evaluators; the feed's thread only queues readings for it. Each run has a virtual thread that
 * sends its actions one after the other.
 */
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {
      "access",
      "accounts",
      "api",
      "callers",
      "cluster",
      "commanders",
      "limits",
      "northbound",
      "openalarms",
      "problems",
      "records",
      "store"
    })
@NullMarked
package dev.vigil.gateway.automations;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
