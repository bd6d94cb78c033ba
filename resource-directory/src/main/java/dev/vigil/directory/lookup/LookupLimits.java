package dev.vigil.directory.lookup;

/**
 * Limits of one lookup.
 *
 * @param results links that one lookup returns (4.00 beyond, naming {@code page} and {@code count})
 * @param largeLookups number of costly lookups that run at a time (5.03 beyond)
 */
public record LookupLimits(int results, int largeLookups) {
  public static final LookupLimits STANDARD = new LookupLimits(100_000, 2);
}
