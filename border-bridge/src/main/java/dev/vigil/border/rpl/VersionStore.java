package dev.vigil.border.rpl;

import java.util.OptionalInt;

/**
 * Keeps the DODAG version across restarts. Motes do not announce their routes again to a root that
 * restarts with the same version.
 */
public interface VersionStore {
  /** The last saved version, 0 to 255. */
  OptionalInt load();

  /** Makes a version durable before it returns. */
  void save(int version);
}
