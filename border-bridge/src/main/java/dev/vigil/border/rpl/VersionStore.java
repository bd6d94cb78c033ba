package dev.vigil.border.rpl;

import java.util.OptionalInt;

/**
 * Keeps the DODAG version over restarts. Motes ignore a root that comes back with the version they
 * know: their routes would stay lost.
 */
public interface VersionStore {
  /** The version last saved, 0 to 255. */
  OptionalInt load();

  /** Makes a version durable before it returns. */
  void save(int version);
}
