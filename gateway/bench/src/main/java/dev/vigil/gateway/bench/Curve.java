package dev.vigil.gateway.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A figure by the number of endpoints.
 *
 * @param points at least one, in ascending numbers of endpoints; all after the first one have
 *     references, or none has
 */
record Curve(Kind kind, List<Point> points) {
  private static final double LIMIT = 1.5;

  /** The figures of {@code ./vigil bench --growth}, in the order of the report. */
  enum Kind {
    LOOKUP("rd.lookup_us", "us", true),
    REGISTRATION("rd.register_us", "us", true),
    DIRECTORY_BYTES("rd.bytes_per_endpoint", "B", true),
    UPDATE("ingest.cpu_us", "us", true),
    PAUSE("gc.pause_ms", "ms", true),
    LONGEST_PAUSE("gc.pause_ms.longest", "ms", false),
    STATE_BYTES("state.bytes_per_endpoint", "B", true),
    RESTART("restart.recover", "s", false),
    RESTART_EACH("restart.us_per_endpoint", "us", true);

    final String label;
    final String unit;

    /** Whether the figure should not depend on the number of endpoints. */
    final boolean flat;

    Kind(String label, String unit, boolean flat) {
      this.label = label;
      this.unit = unit;
      this.flat = flat;
    }
  }

  /**
   * A number of endpoints and its measurements.
   *
   * @param rounds references were measured in turns with the values, at the least number of
   *     endpoints
   */
  record Point(int endpoints, List<Figure.Round> rounds) {
    double value() {
      return Figure.median(rounds, Figure.Round::value);
    }

    private double ratio() {
      return Figure.median(rounds, round -> round.value() / round.reference());
    }
  }

  /** Measurements by figure and number of endpoints, until they are curves. */
  static final class Collector {
    private final Map<Kind, SortedMap<Integer, List<Figure.Round>>> rounds =
        new EnumMap<>(Kind.class);

    void put(Kind kind, int endpoints, List<Figure.Round> measured) {
      rounds.computeIfAbsent(kind, any -> new TreeMap<>()).put(endpoints, measured);
    }

    /** Measures in turns with the same figure at the least number of endpoints. */
    void pairs(Kind kind, int endpoints, int count, Benchmark.Turn ours, Benchmark.Turn least)
        throws Exception {
      put(kind, endpoints, Benchmark.Effort.pairs(kind.label, kind.unit, count, ours, least));
    }

    /**
     * @param least the number of endpoints of all references, which are the values there
     */
    List<Curve> curves(int least) {
      return rounds.entrySet().stream()
          .map(measured -> curve(measured.getKey(), least, measured.getValue()))
          .toList();
    }

    private static Curve curve(
        Kind kind, int least, SortedMap<Integer, List<Figure.Round>> measured) {
      List<Point> points = new ArrayList<>();
      if (!measured.containsKey(least)) {
        List<Figure.Round> references =
            measured.values().stream()
                .flatMap(List::stream)
                .map(round -> Figure.Round.of(round.reference()))
                .toList();
        points.add(new Point(least, references));
      }
      measured.forEach((endpoints, each) -> points.add(new Point(endpoints, each)));
      return new Curve(kind, points);
    }
  }

  /** The largest ratio of a point to a point of fewer endpoints. */
  double rise() {
    double least = 1;
    double rise = 1;
    for (Point point : points.subList(1, points.size())) {
      double ratio = point.ratio();
      double relative = Double.isNaN(ratio) ? point.value() / points.getFirst().value() : ratio;
      rise = Math.max(rise, relative / least);
      least = Math.min(least, relative);
    }
    return rise;
  }

  boolean isMet() {
    return !kind.flat || rise() <= LIMIT;
  }

  String target() {
    return kind.flat ? "<=" + Figure.number(LIMIT) : "-";
  }

  /** Whether a figure that should be flat is; a hyphen for one that may grow. */
  String verdict() {
    return !kind.flat ? "-" : isMet() ? "met" : "NOT MET";
  }

  String line() {
    List<String> words = new ArrayList<>(List.of(kind.label, kind.unit));
    points.forEach(point -> words.add(Figure.number(point.value())));
    words.addAll(List.of(Figure.number(rise()), target(), verdict()));
    return String.join(" ", words);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("unit", kind.unit);
    json.put("rise", rise());
    json.put("flat", kind.flat);
    json.put("met", isMet());
    json.put(
        "values",
        points.stream()
            .collect(
                Collectors.toMap(Point::endpoints, Point::value, (a, b) -> a, LinkedHashMap::new)));
    json.put("rounds", points.stream().map(point -> Figure.json(point.rounds())).toList());
    return json;
  }
}
