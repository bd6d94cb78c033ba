package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Aggregates numbers by name and bucket of time; other values are ignored. */
final class TimeBuckets {
  private static final int MAX_BUCKETS = 10_000;

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
    long recovered;
    double sum;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double last;
    double lastAt = Double.NEGATIVE_INFINITY;

    void add(double value, double at, boolean isRecovered) {
      count++;
      recovered += isRecovered ? 1 : 0;
      if (at >= lastAt) {
        last = value;
        lastAt = at;
      }
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }

  /**
   * One measured name.
   *
   * @param unit absent when the measurements have none
   */
  record SeriesJson(String name, @Nullable String unit, List<BucketJson> buckets) {}

  /**
   * @param start a multiple of the bucket's length since 1970
   * @param last the value that was measured last
   * @param rate change in a second from the last value of the previous bucket to the last value of
   *     this one; absent in the first bucket
   * @param recovered how many of the values were fetched from the mote's block store and are not
   *     signed
   */
  record BucketJson(
      Instant start,
      long count,
      double mean,
      double min,
      double max,
      double last,
      @Nullable Double rate,
      long recovered) {}

  /**
   * @param seconds length of a bucket, at least 1
   */
  TimeBuckets(long seconds) {
    this.seconds = seconds;
  }

  /**
   * @throws ErrorResponseException 4.00 when there are too many buckets
   */
  void add(ResolvedRecord measurement, boolean recovered) {
    if (!(measurement.value() instanceof SenmlValue.Number(double number))) {
      return;
    }
    long start = Math.floorDiv((long) Math.floor(measurement.time()), seconds) * seconds;
    String unit = Objects.requireNonNullElse(measurement.unit(), "");
    series
        .computeIfAbsent(new Series(measurement.name(), unit), name -> new TreeMap<>())
        .computeIfAbsent(start, at -> newBucket())
        .add(number, measurement.time(), recovered);
  }

  private Sum newBucket() {
    if (++buckets > MAX_BUCKETS) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          "more than " + MAX_BUCKETS + " buckets: ask for longer buckets or a shorter time");
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
                    toJson(one.getValue())))
        .toList();
  }

  private static List<BucketJson> toJson(TreeMap<Long, Sum> sums) {
    List<BucketJson> json = new ArrayList<>();
    Sum before = null;
    for (Map.Entry<Long, Sum> bucket : sums.entrySet()) {
      Sum sum = bucket.getValue();
      json.add(
          new BucketJson(
              Instant.ofEpochSecond(bucket.getKey()),
              sum.count,
              sum.sum / sum.count,
              sum.min,
              sum.max,
              sum.last,
              before == null ? null : (sum.last - before.last) / (sum.lastAt - before.lastAt),
              sum.recovered));
      before = sum;
    }
    return json;
  }
}
