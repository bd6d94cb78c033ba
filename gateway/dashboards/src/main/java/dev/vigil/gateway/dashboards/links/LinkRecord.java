package dev.vigil.gateway.dashboards.links;

import dev.vigil.gateway.dashboards.Dashboard;
import dev.vigil.gateway.records.Secret;
import dev.vigil.gateway.records.Versioned;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored link; its id is a part of its token.
 *
 * @param dashboard id of the dashboard
 * @param dashboardMade the time at which that dashboard was made; a later dashboard of the same id
 *     is another one
 * @param name purpose of the link
 * @param maker the account that made it; the link shows no more than the account may see
 * @param makerMade the time at which that account was made; a later account of the same name is
 *     another one. Null for the operator's token and in records of older versions
 * @param hash of the whole token
 * @param expiresAt null: it does not expire
 * @param usedAt time of a recent use; null before the first
 */
record LinkRecord(
    String dashboard,
    Instant dashboardMade,
    String name,
    String maker,
    @Nullable Instant makerMade,
    @Secret String hash,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant usedAt) {
  boolean shows(Versioned<Dashboard> one) {
    return one.id().equals(dashboard) && one.value().createdAt().equals(dashboardMade);
  }

  LinkRecord used(Instant at) {
    return new LinkRecord(
        dashboard, dashboardMade, name, maker, makerMade, hash, createdAt, expiresAt, at);
  }

  @Override
  public String toString() {
    return "LinkRecord[not shown]";
  }
}
