package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.ContentFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client takes, from its Accept header (RFC 9110 section 12.5.1).
 *
 * @param formats those it names, most wanted first
 * @param any whether it takes whatever there is besides
 */
record Accepted(List<ContentFormat> formats, boolean any) {
  private static final int LONGEST = 4096;
  private static final String WILD = "*/*";

  /** One range of the header: how exactly it names a type decides which range counts. */
  private record Range(String type, double quality) {
    int exactness(ContentFormat format) {
      String bare = bare(format.mediaType());
      if (type.equals(bare)) {
        return 2;
      }
      boolean whole = type.endsWith("/*") && bare.startsWith(type.substring(0, type.length() - 1));
      return type.equals(WILD) ? 0 : whole ? 1 : -1;
    }
  }

  static Accepted of(@Nullable String header) {
    if (header == null || header.isBlank() || header.length() > LONGEST) {
      return new Accepted(List.of(), true);
    }
    List<Range> ranges = new ArrayList<>();
    for (String part : header.split(",")) {
      if (!part.isBlank()) {
        ranges.add(new Range(bare(part), quality(part)));
      }
    }
    Map<ContentFormat, Double> wanted = new EnumMap<>(ContentFormat.class);
    for (ContentFormat format : ContentFormat.values()) {
      ranges.stream()
          .filter(range -> range.exactness(format) > 0)
          .max(Comparator.comparingInt(range -> range.exactness(format)))
          .ifPresent(range -> wanted.put(format, range.quality));
    }
    // Sorting is stable: among equals the order of the header would be arbitrary anyway.
    List<ContentFormat> formats =
        wanted.entrySet().stream()
            .filter(entry -> entry.getValue() > 0)
            .sorted(Map.Entry.<ContentFormat, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    boolean any = ranges.stream().anyMatch(range -> range.type.equals(WILD) && range.quality > 0);
    return new Accepted(formats, any);
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
