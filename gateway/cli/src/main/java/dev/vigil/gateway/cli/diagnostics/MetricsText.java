package dev.vigil.gateway.cli.diagnostics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The samples of a text in Prometheus' exposition format. */
final class MetricsText {
  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)(?: \\d+)?$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final List<Sample> samples = new ArrayList<>();

  record Sample(String name, Map<String, String> labels, double value) {
    String label(String key) {
      return labels.getOrDefault(key, "");
    }
  }

  /** Lines that are not samples are skipped. */
  MetricsText(String text) {
    Matcher sample = SAMPLE.matcher(text);
    while (sample.find()) {
      Map<String, String> labels = new HashMap<>();
      if (sample.group(2) != null) {
        LABEL.matcher(sample.group(2)).results().forEach(l -> labels.put(l.group(1), l.group(2)));
      }
      try {
        double value = Double.parseDouble(sample.group(3));
        samples.add(new Sample(sample.group(1), labels, value));
      } catch (NumberFormatException e) {
        // This line is not a sample.
      }
    }
  }

  List<Sample> all(String name) {
    return samples.stream().filter(sample -> sample.name().equals(name)).toList();
  }

  /** The sum of the samples of a metric; empty when there is none. */
  OptionalDouble sum(String name, Predicate<Sample> of) {
    List<Sample> some = all(name).stream().filter(of).toList();
    return some.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(some.stream().mapToDouble(Sample::value).sum());
  }

  double value(String name) {
    return sum(name, sample -> true).orElse(0);
  }
}
