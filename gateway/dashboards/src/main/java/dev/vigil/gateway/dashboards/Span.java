package dev.vigil.gateway.dashboards;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vigil.gateway.store.Resolution;

/** The time that a chart covers until now, with at most some 300 points. */
public enum Span {
  HOUR("1h", 3600, 60, Resolution.MINUTE),
  SIX_HOURS("6h", 6 * 3600, 120, Resolution.MINUTE),
  DAY("24h", 86_400, 300, Resolution.MINUTE),
  WEEK("7d", 7 * 86_400, 3600, Resolution.HOUR),
  MONTH("30d", 30 * 86_400, 3 * 3600, Resolution.HOUR),
  YEAR("365d", 365 * 86_400, 2 * 86_400, Resolution.DAY);

  private final String label;
  private final long seconds;
  private final long bucket;
  private final Resolution resolution;

  Span(String label, long seconds, long bucket, Resolution resolution) {
    this.label = label;
    this.seconds = seconds;
    this.bucket = bucket;
    this.resolution = resolution;
  }

  @JsonValue
  public String label() {
    return label;
  }

  public long seconds() {
    return seconds;
  }

  /** The seconds between two points. */
  public long bucket() {
    return bucket;
  }

  /** The aggregates from which a point is computed. */
  public Resolution resolution() {
    return resolution;
  }

  /**
   * @throws IllegalArgumentException names all spans
   */
  @JsonCreator
  public static Span of(String label) {
    for (Span span : values()) {
      if (span.label.equals(label)) {
        return span;
      }
    }
    throw new IllegalArgumentException("takes one of 1h, 6h, 24h, 7d, 30d, 365d");
  }
}
