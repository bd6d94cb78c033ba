package dev.vigil.gateway.northbound.influx;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes points of InfluxDB line protocol. Names cannot have control characters or end with a
 * backslash; both are percent-encoded.
 */
final class LineProtocol {
  private final StringBuilder lines = new StringBuilder();
  private boolean inFields;

  /** Begins a point; tags follow, then fields, then {@link #end}. */
  LineProtocol point(String measurement) {
    append(measurement, ", ");
    inFields = false;
    return this;
  }

  /**
   * @param value null or empty: the tag is left out
   */
  LineProtocol tag(String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      lines.append(',').append(key).append('=');
      append(value, ",= ");
    }
    return this;
  }

  LineProtocol field(String key, double value) {
    return rawField(key, Double.toString(value));
  }

  LineProtocol field(String key, long value) {
    return rawField(key, value + "i");
  }

  LineProtocol field(String key, boolean value) {
    return rawField(key, Boolean.toString(value));
  }

  LineProtocol field(String key, String value) {
    return rawField(key, '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
  }

  private LineProtocol rawField(String key, String value) {
    lines.append(inFields ? ',' : ' ').append(key).append('=').append(value);
    inFields = true;
    return this;
  }

  /**
   * Ends a point, which has a field.
   *
   * @param nanos since 1970
   */
  LineProtocol end(long nanos) {
    lines.append(' ').append(nanos).append('\n');
    return this;
  }

  /** Appends a name, with a backslash before each of these characters. */
  private void append(String name, String escaped) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < ' ' || c == 0x7f || c == '\\') {
        lines.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      } else {
        if (escaped.indexOf(c) >= 0) {
          lines.append('\\');
        }
        lines.append(c);
      }
    }
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  @Override
  public String toString() {
    return lines.toString();
  }
}
