package dev.vigil.gateway.dashboards;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.records.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dashboard in answers.
 *
 * @param d the only domain of which it shows anything, "-" for the one without a name; absent: any
 */
record DashboardJson(String id, String name, @Nullable String d, List<Tile> tiles) {
  static DashboardJson of(Versioned<Dashboard> dashboard) {
    String d = dashboard.value().d();
    return new DashboardJson(
        dashboard.id(),
        dashboard.value().name(),
        d == null ? null : DomainNames.label(d),
        dashboard.value().tiles());
  }
}
