/**
 * Alarms: the rules that raise them, their states, and how operators acknowledge and silence them.
 * Rules, alarms and silences are records.
 *
 * <p>Threads: the thread {@code alarms} evaluates the rules four times a second, but only for
 * endpoints that changed or are due; the store's feed thread notes which changed, and applies
 * changes of records to {@link dev.vigil.gateway.alarms.AlarmRegister}, whose indexes are guarded
 * by its monitor. Requests read and write records on their own threads.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "api",
      "bridge",
      "callers",
      "northbound",
      "problems",
      "records",
      "store",
      "tls"
    })
@NullMarked
package dev.vigil.gateway.alarms;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
