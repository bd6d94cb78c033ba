package dev.vigil.gateway.exchange;

import dev.vigil.coap.exchange.ContentFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Accept header of a request (RFC 9110 section 12.5.1).
 *
 * @param formats the named formats, highest quality first
 * @param any whether any other format is acceptable too
 */
record AcceptHeader(List<ContentFormat> formats, boolean any) {
  private static final int MAX_LENGTH = 4096;
  private static final String WILD = "*/*";

  /** One media range of the header. The most specific range for a format decides. */
  private record Range(String type, double quality) {
    /** 2: the type itself, 1: its subtypes, 0: any type, -1: does not match. */
    int specificity(ContentFormat format) {
      String bare = bare(format.mediaType());
      if (type.equals(bare)) {
        return 2;
      }
      boolean whole = type.endsWith("/*") && bare.startsWith(type.substring(0, type.length() - 1));
      return type.equals(WILD) ? 0 : whole ? 1 : -1;
    }
  }

  static AcceptHeader of(@Nullable String header) {
    if (header == null || header.isBlank() || header.length() > MAX_LENGTH) {
      return new AcceptHeader(List.of(), true);
    }
    List<Range> ranges = new ArrayList<>();
    for (String part : header.split(",")) {
      if (!part.isBlank()) {
        ranges.add(new Range(bare(part), quality(part)));
      }
    }
    Map<ContentFormat, Double> qualities = new EnumMap<>(ContentFormat.class);
    for (ContentFormat format : ContentFormat.values()) {
      ranges.stream()
          .filter(range -> range.specificity(format) > 0)
          .max(Comparator.comparingInt(range -> range.specificity(format)))
          .ifPresent(range -> qualities.put(format, range.quality));
    }
    // Formats of equal quality stay in the order of the enum.
    List<ContentFormat> formats =
        qualities.entrySet().stream()
            .filter(entry -> entry.getValue() > 0)
            .sorted(Map.Entry.<ContentFormat, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    boolean any = ranges.stream().anyMatch(range -> range.type.equals(WILD) && range.quality > 0);
    return new AcceptHeader(formats, any);
  }

  private static String bare(String range) {
    int end = range.indexOf(';');
    return (end < 0 ? range : range.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static double quality(String range) {
    for (String parameter : range.split(";")) {
      String text = parameter.strip().toLowerCase(Locale.ROOT);
      if (text.startsWith("q=")) {
        try {
          return Math.clamp(Double.parseDouble(text.substring(2)), 0, 1);
        } catch (NumberFormatException e) {
          return 0;
        }
      }
    }
    return 1;
  }
}
