package dev.vigil.mirror;

import dev.vigil.mirror.senml.Measurement;
import java.time.Instant;
import java.util.List;

/**
 * An accepted update out of a resource's history.
 *
 * @param delayed whether it came long after it was measured
 * @param measurements resolved: full names, absolute times
 */
public record Recorded(long seq, Instant arrived, boolean delayed, List<Measurement> measurements) {
  public Recorded {
    measurements = List.copyOf(measurements);
  }
}
