package dev.vigil.gateway.dashboards;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored dashboard; its id was chosen by the operator who made it.
 *
 * @param name for people
 * @param d the only domain of which it shows anything; null: any
 * @param createdAt the time at which it was made; links of a former dashboard of the same id do not
 *     show it
 */
public record Dashboard(String name, @Nullable String d, List<Tile> tiles, Instant createdAt) {
  public Dashboard {
    tiles = List.copyOf(tiles);
  }

  /** Whether its domain permits to show things of a domain. */
  public boolean covers(String domain) {
    return d == null || d.equals(domain);
  }
}
