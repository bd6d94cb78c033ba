package dev.vigil.mirror;

/** The slots of the store that belong to the mirror. */
final class Slots {
  /** The registration: {@link Lease}. */
  static final String LEASE = "ms";

  /** Until when updates have prolonged the registration: {@code {"expires":...}}. */
  static final String LIFE = "life";

  /** The key and its trust state: {@link KeyRing}. */
  static final String KEY = "key";

  /** A registration by another key, which waits for an operator: {@link HeldKey}. */
  static final String HELD = "held";

  /** Commands that wait for the endpoint: {@link CommandQueue}. */
  static final String COMMANDS = "commands";

  /** The keys of encrypted updates, sealed: {@code AirKeys}. */
  static final String AIR = "air";

  /** What was decided, kept for ever. */
  static final String AUDIT = "audit";

  /** Of each resource, with its path behind: {@link StoredValue}. */
  static final String VALUE = "value/";

  /** Of the reserved endpoint {@link #TRUST}, with a thumbprint behind. */
  static final String REVOKED = "revoked/";

  static final String LISTED = "listed/";

  /**
   * What is known apart from any endpoint, keys and decisions, is kept under this name, which
   * nobody can register.
   */
  static final String TRUST = ".trust";

  private Slots() {}
}
