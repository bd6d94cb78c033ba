package dev.vigil.gateway.northbound.sparkplug;

import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A metric of a Sparkplug B payload.
 *
 * @param timestamp of the measurement, Unix time in milliseconds
 * @param unit null: no unit
 * @param seq the endpoint's sequence number, with which receivers detect repetitions; 0: none
 * @param historical whether receivers know a newer value
 */
record SparkplugMetric(
    String name, long timestamp, Value value, @Nullable String unit, long seq, boolean historical) {
  private static final double MILLIS = 1000;

  /** A value with its data type (Sparkplug 3.0 section 6.4.16). */
  sealed interface Value {
    int dataType();

    record Int64(long value) implements Value {
      @Override
      public int dataType() {
        return 4;
      }
    }

    record Float64(double value) implements Value {
      @Override
      public int dataType() {
        return 10;
      }
    }

    record Bool(boolean value) implements Value {
      @Override
      public int dataType() {
        return 11;
      }
    }

    record Text(String value) implements Value {
      @Override
      public int dataType() {
        return 12;
      }
    }

    record Octets(byte[] value) implements Value {
      @Override
      public int dataType() {
        return 17;
      }
    }
  }

  /** A metric of the edge node itself. */
  static SparkplugMetric of(String name, long timestamp, Value value) {
    return new SparkplugMetric(name, timestamp, value, null, 0, false);
  }

  /**
   * The metrics of a resource's value, oldest first. If a record's name differs from its resource,
   * the name follows the path. A sum has {@code sum} after the name.
   */
  static List<SparkplugMetric> of(String path, List<ResolvedRecord> records, long seq) {
    List<SparkplugMetric> metrics = new ArrayList<>();
    boolean several = records.stream().map(ResolvedRecord::name).distinct().count() > 1;
    for (ResolvedRecord one : records) {
      String name = several && !one.name().equals(path) ? path + "/" + one.name() : path;
      long timestamp = Math.round(one.time() * MILLIS);
      SenmlValue value = one.value();
      if (value != null) {
        metrics.add(new SparkplugMetric(name, timestamp, of(value), one.unit(), seq, false));
      }
      Double sum = one.sum();
      if (sum != null) {
        metrics.add(
            new SparkplugMetric(
                name + "/sum", timestamp, new Value.Float64(sum), one.unit(), seq, false));
      }
    }
    return metrics;
  }

  private static Value of(SenmlValue value) {
    return switch (value) {
      case SenmlValue.Number number -> new Value.Float64(number.value());
      case SenmlValue.Bool bool -> new Value.Bool(bool.value());
      case SenmlValue.Text text -> new Value.Text(text.value());
      case SenmlValue.Data data -> new Value.Octets(data.octets());
    };
  }

  SparkplugMetric asHistorical() {
    return new SparkplugMetric(name, timestamp, value, unit, seq, true);
  }

  /** Whether a birth certificate with the other metric also announces this metric. */
  boolean isAnnouncedBy(@Nullable SparkplugMetric born) {
    return born != null
        && value.dataType() == born.value.dataType()
        && Objects.equals(unit, born.unit);
  }
}
