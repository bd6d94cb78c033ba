package dev.vigil.gateway.endpoints;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Value;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Numbers gathered by name and span of time; what is no number is left out. */
final class Buckets {
  private static final int MOST = 10_000;

  private final long seconds;
  private final Map<Series, TreeMap<Long, Sum>> series = new TreeMap<>();
  private int buckets;

  private record Series(String name, String unit) implements Comparable<Series> {
    @Override
    public int compareTo(Series other) {
      int byName = name.compareTo(other.name);
      return byName != 0 ? byName : unit.compareTo(other.unit);
    }
  }

  private static final class Sum {
    long count;
    double sum;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;

    void add(double value) {
      count++;
      sum += value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }

  /**
   * One measured name.
   *
   * @param unit absent when none was told
   */
  record SeriesJson(String name, @Nullable String unit, List<BucketJson> buckets) {}

  /**
   * @param start of the span, which is a multiple of its length since 1970
   */
  record BucketJson(Instant start, long count, double mean, double min, double max) {}

  /**
   * @param seconds the length of each, at least 1
   */
  Buckets(long seconds) {
    this.seconds = seconds;
  }

  /**
   * @throws ExchangeException 4.00 when there are too many
   */
  void add(Measurement measurement) {
    if (!(measurement.value() instanceof Value.Number(double number))) {
      return;
    }
    long start = Math.floorDiv((long) Math.floor(measurement.time()), seconds) * seconds;
    String unit = Objects.requireNonNullElse(measurement.unit(), "");
    series
        .computeIfAbsent(new Series(measurement.name(), unit), name -> new TreeMap<>())
        .computeIfAbsent(start, at -> fresh())
        .add(number);
  }

  private Sum fresh() {
    if (++buckets > MOST) {
      throw new ExchangeException(
          Code.BAD_REQUEST, "more than " + MOST + " buckets: take longer ones, or less time");
    }
    return new Sum();
  }

  List<SeriesJson> toJson() {
    return series.entrySet().stream()
        .map(
            one ->
                new SeriesJson(
                    one.getKey().name,
                    one.getKey().unit.isEmpty() ? null : one.getKey().unit,
                    one.getValue().entrySet().stream()
                        .map(bucket -> toJson(bucket.getKey(), bucket.getValue()))
                        .toList()))
        .toList();
  }

  private static BucketJson toJson(long start, Sum sum) {
    return new BucketJson(
        Instant.ofEpochSecond(start), sum.count, sum.sum / sum.count, sum.least, sum.most);
  }
}
