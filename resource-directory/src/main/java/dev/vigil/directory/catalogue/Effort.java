package dev.vigil.directory.catalogue;

/**
 * Hears what a search costs while it runs: octets of links that were looked through, and as many
 * for what else takes as long. Ends the search by throwing.
 */
@FunctionalInterface
public interface Effort {
  /** An entry whose links were not looked at. */
  int ENTRY = 64;

  /** A value of an index. */
  int VALUE = 32;

  /** So much more. */
  void spent(long octets);
}
