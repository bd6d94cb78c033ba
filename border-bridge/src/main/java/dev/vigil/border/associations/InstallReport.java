package dev.vigil.border.associations;

import java.util.List;

/**
 * The changes that installing a file of associations made.
 *
 * @param added associations that did not run before
 * @param kept associations that continue with their numbers and windows
 * @param removed associations that no longer run
 * @param stopped a sentence for each association that carries nothing, with its line
 */
public record InstallReport(int added, int kept, int removed, List<String> stopped) {
  public InstallReport {
    stopped = List.copyOf(stopped);
  }

  /** The report in words. */
  @Override
  public String toString() {
    return "%d associations: %d new, %d kept, %d removed"
        .formatted(added + kept, added, kept, removed);
  }
}
