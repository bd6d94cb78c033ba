/**
 * Alarms: the rules that raise them, their states, and how operators acknowledge and silence them.
 * Rules, alarms and silences are records.
 *
 * <p>The packages below this one use each other in this order: {@code evaluation}, {@code
 * register}, {@code rules} and {@code silences}, {@code kinds}, {@code conditions}. This package
 * has the REST operations, and the beans from which kinds of alarms read the state of the gateway.
 *
 * <p>Threads: requests read and write records on their own threads; the threads {@code alarms} and
 * {@code own-alarms} read the sources; each thread reads different ones.
 */
@ApplicationModule(
    allowedDependencies = {
      "api",
      "bridge",
      "callers",
      "clock",
      "cluster",
      "duties",
      "limits",
      "northbound",
      "openalarms",
      "problems",
      "records",
      "store",
      "tags",
      "tls"
    })
@NullMarked
package dev.vigil.gateway.alarms;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
