package dev.vigil.gateway.northbound.influx;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes points of InfluxDB line protocol that every parser reads. Some parsers end a point at each
 * line break, even inside quotes, and Unicode has several line breaks. Therefore control
 * characters, line separators and backslashes in names are percent-encoded.
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
   * @param value null or empty: no tag is written
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
    lines.append(inFields ? ',' : ' ').append(key).append("=\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isControl(c)) {
        appendEncoded(c);
      } else {
        lines.append(c == '\\' || c == '"' ? "\\" : "").append(c);
      }
    }
    lines.append('"');
    inFields = true;
    return this;
  }

  private LineProtocol rawField(String key, String value) {
    lines.append(inFields ? ',' : ' ').append(key).append('=').append(value);
    inFields = true;
    return this;
  }

  /**
   * Ends a point, which must have a field.
   *
   * @param nanos nanoseconds since 1970
   */
  LineProtocol end(long nanos) {
    lines.append(' ').append(nanos).append('\n');
    return this;
  }

  /** Appends a name with a backslash before each character in {@code escaped}. */
  private void append(String name, String escaped) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (isControl(c) || c == '\\') {
        appendEncoded(c);
      } else {
        if (escaped.indexOf(c) >= 0) {
          lines.append('\\');
        }
        lines.append(c);
      }
    }
  }

  private static boolean isControl(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> false;
    };
  }

  /** Percent-encodes the UTF-8 octets of a character (RFC 3986 section 2.1). */
  private void appendEncoded(char c) {
    for (byte octet : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
      lines.append(String.format(Locale.ROOT, "%%%02X", octet));
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
