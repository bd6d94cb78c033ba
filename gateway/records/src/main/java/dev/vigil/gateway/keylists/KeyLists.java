package dev.vigil.gateway.keylists;

import dev.vigil.mirror.model.keys.ListedKey;
import java.util.List;

/** Reads lists of keys. */
public final class KeyLists {
  private KeyLists() {}

  /**
   * Reads a CSV table whose first line names its columns.
   *
   * @param domain the only content of the column {@code d}
   * @throws KeyListException naming the lines with faults
   */
  public static List<ListedKey> csv(byte[] table, String domain) {
    return KeyCsvParser.read(table, domain);
  }

  /**
   * Reads a JWK set (RFC 7517 section 5), in which a member {@code ep} binds a key to a name.
   *
   * @throws KeyListException naming the keys with faults
   */
  public static List<ListedKey> jwkSet(byte[] set) {
    return JwkSetParser.read(set);
  }
}
