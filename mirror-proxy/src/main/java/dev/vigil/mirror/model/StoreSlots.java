package dev.vigil.mirror.model;

import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.ListedKey;

/** The names of the store's slots that belong to the mirror. */
public final class StoreSlots {
  /** The registration: {@link Lease}. */
  public static final String LEASE = "ms";

  /** The expiry after updates have extended the registration: {@code {"expires":...}}. */
  public static final String LIFE = "life";

  /** The key with its trust state and the former keys: {@link KeyHistory}. */
  public static final String KEY = "key";

  /** Other keys that ask for the name: {@link HeldKeys}. */
  public static final String HELD = "held";

  /** Pending and recently ended commands: {@link CommandQueue}. */
  public static final String COMMANDS = "commands";

  /** The sealed keys of encrypted updates: {@code UpdateKeys}. */
  public static final String UPDATE_KEYS = "air";

  /** Audit records; all are kept permanently. */
  public static final String AUDIT = "audit";

  /** Prefix of a resource's values, followed by its path: {@link StoredValue}. */
  public static final String VALUE = "value/";

  /**
   * Prefix of a resource's readings that were fetched from the endpoint's block store, followed by
   * its path: {@link RecoveredValue}. They are not signed.
   */
  public static final String RECOVERED = "recovered/";

  /**
   * The block store that belongs to the endpoint, and up to when it was searched: {@link Recovery}.
   */
  public static final String RECOVERY = "recovery";

  /** Prefix of a revoked key in {@link #TRUST}, followed by its thumbprint. */
  public static final String REVOKED = "revoked/";

  /** Prefix of a listed key in {@link #TRUST}, followed by its thumbprint: {@link ListedKey}. */
  public static final String LISTED = "listed/";

  /**
   * In {@link #TRUST}: {@link NumberFloor}, which every number has to exceed after the data was
   * restored from a backup.
   */
  public static final String FLOOR = "floor";

  /**
   * The endpoint name of facts that belong to no endpoint: listed and revoked keys with their audit
   * records, and the floor of all numbers. Names that begin with a dot cannot be registered.
   */
  public static final String TRUST = ".trust";

  private StoreSlots() {}
}
