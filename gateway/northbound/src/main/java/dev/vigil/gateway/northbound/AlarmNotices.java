package dev.vigil.gateway.northbound;

import dev.vigil.store.Change;
import java.util.List;

/** Reads the changes of alarms from the feed. Safe for use by any number of threads. */
public interface AlarmNotices {
  /** Whether a change of the feed is about alarms. */
  boolean concerns(Change change);

  /** The alarms that a change of the feed raised, acknowledged or cleared; not silenced ones. */
  List<AlarmNotice> of(Change change);
}
