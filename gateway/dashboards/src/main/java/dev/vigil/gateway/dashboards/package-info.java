/**
 * Dashboards: pages of tiles that operators put together, and their REST. The package {@code
 * contents} reads what the tiles show, and follows their changes; {@code links} keeps the links
 * that show one dashboard without an account.
 *
 * <p>Threads: requests read and write on their own threads. Other threads add names of tiles to the
 * backlogs of event streams.
 */
@ApplicationModule(
    type = ApplicationModule.Type.OPEN,
    allowedDependencies = {
      "access",
      "accounts",
      "api",
      "calibrations",
      "callers",
      "credentials",
      "labels",
      "limits",
      "network",
      "openalarms",
      "problems",
      "records",
      "store",
      "streams",
      "tags",
      "units"
    })
@NullMarked
package dev.vigil.gateway.dashboards;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
