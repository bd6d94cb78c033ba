package dev.vigil.gateway.northbound;

import dev.vigil.store.Change;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the changes of alarms from the feed. Thread-safe. */
public interface AlarmNotices {
  /** Whether a change of the feed is about alarms. */
  boolean concerns(Change change);

  /**
   * The alarms that a change of the feed raised, acknowledged or cleared; without silenced alarms.
   */
  List<AlarmNotice> of(Change change);

  /**
   * The address of the page of an endpoint, or of the alarms.
   *
   * @param endpoint id of the endpoint; null: none
   * @return null: no setting names the gateway's public address
   */
  @Nullable String link(@Nullable String endpoint);
}
