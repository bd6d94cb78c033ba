package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore;
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

  private record Sum(Aggregate all, long recovered) {
    Sum plus(Sum more) {
      return new Sum(all.plus(more.all), recovered + more.recovered);
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
    String unit = Objects.requireNonNullElse(measurement.unit(), "");
    Aggregate one = Aggregate.of(number, measurement.time());
    long at = (long) Math.floor(measurement.time());
    add(new Series(measurement.name(), unit), at, new Sum(one, recovered ? 1 : 0));
  }

  /**
   * Adds an aggregate whose length divides that of the buckets.
   *
   * @throws ErrorResponseException 4.00 when there are too many buckets
   */
  void add(AggregateStore.Entry entry) {
    AggregateSeries of = entry.series();
    long count = entry.aggregate().count();
    boolean recovered = of.kid().equals(AggregateSeries.RECOVERED);
    add(
        new Series(of.name(), of.unit()),
        entry.start(),
        new Sum(entry.aggregate(), recovered ? count : 0));
  }

  private void add(Series name, long at, Sum sum) {
    TreeMap<Long, Sum> ofSeries = series.computeIfAbsent(name, any -> new TreeMap<>());
    int before = ofSeries.size();
    ofSeries.merge(Math.floorDiv(at, seconds) * seconds, sum, Sum::plus);
    buckets += ofSeries.size() - before;
    if (buckets > MAX_BUCKETS) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          "more than " + MAX_BUCKETS + " buckets: ask for longer buckets or a shorter time");
    }
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
    Aggregate before = null;
    for (Map.Entry<Long, Sum> bucket : sums.entrySet()) {
      Aggregate sum = bucket.getValue().all;
      json.add(
          new BucketJson(
              Instant.ofEpochSecond(bucket.getKey()),
              sum.count(),
              sum.sum() / sum.count(),
              sum.min(),
              sum.max(),
              sum.last(),
              before == null
                  ? null
                  : (sum.last() - before.last()) / (sum.lastAt() - before.lastAt()),
              bucket.getValue().recovered));
      before = sum;
    }
    return json;
  }
}
