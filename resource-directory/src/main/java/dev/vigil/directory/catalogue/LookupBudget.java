package dev.vigil.directory.catalogue;

/**
 * Measures the cost of a search while it runs, in octets of parsed links or their equivalent in
 * time. Ends the search by throwing an exception.
 */
@FunctionalInterface
public interface LookupBudget {
  /** Cost of an entry whose links were not parsed. */
  int ENTRY = 64;

  /** Cost of one index value. */
  int VALUE = 32;

  void charge(long octets);
}
