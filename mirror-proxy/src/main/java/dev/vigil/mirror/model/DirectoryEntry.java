package dev.vigil.mirror.model;

/** The kind of registrant that holds an endpoint name in the directory itself. */
public enum DirectoryEntry {
  NONE,

  /** A client without trusted credentials: anonymous, or with a raw public key. */
  OF_STRANGER,

  /** A client with a pre-shared key, a certificate or an account. */
  OF_OWNER;

  /**
   * Whether a new key of the name has to wait for an operator because of the entry.
   *
   * @param trusted whether the key would be trusted without an operator, because it is listed for
   *     the name or the domain trusts on first use; such a key displaces a stranger's entry
   */
  public boolean holds(boolean trusted) {
    return switch (this) {
      case NONE -> false;
      case OF_STRANGER -> !trusted;
      case OF_OWNER -> true;
    };
  }
}
