package dev.vigil.gateway.export;

import dev.vigil.gateway.archive.ArchiveFormat;
import dev.vigil.gateway.archive.Csv;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.SenmlPack;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * One line of an export of aggregates.
 *
 * @param path of the resource, percent-encoded
 * @param unit empty when the numbers have none
 * @param start unix time in seconds
 * @param recovered how many of the numbers were never signed
 * @param shown converts the numbers to {@code unit}
 */
record AggregateRow(
    EndpointView endpoint,
    String path,
    String name,
    String unit,
    Resolution resolution,
    long start,
    Aggregate aggregate,
    long recovered,
    DoubleUnaryOperator shown) {
  private static final String HEADER =
      "ep,d,res,name,unit,resolution,start,count,recovered,mean,min,max,last\r\n";

  static String header(ArchiveFormat format) {
    return format == ArchiveFormat.CSV ? HEADER : "";
  }

  /** The line with its end. */
  String write(ArchiveFormat format) {
    return switch (format) {
      case CSV -> csv();
      case JSONL -> json();
    };
  }

  private String csv() {
    return String.join(
            ",",
            Csv.text(endpoint.ep()),
            Csv.text(endpoint.d()),
            Csv.text(path),
            Csv.text(name),
            Csv.text(unit),
            resolutionWord(),
            Instant.ofEpochSecond(start).toString(),
            Long.toString(aggregate.count()),
            Long.toString(recovered),
            number(mean()),
            number(aggregate.min()),
            number(aggregate.max()),
            number(aggregate.last()))
        + "\r\n";
  }

  private String json() {
    byte[] line =
        new JsonWriter()
            .open('{')
            .member("ep", endpoint.ep())
            .member("d", endpoint.d())
            .member("res", path)
            .member("name", name)
            .member("unit", unit.isEmpty() ? null : unit)
            .member("resolution", resolutionWord())
            .member("start", Instant.ofEpochSecond(start).toString())
            .member("count", aggregate.count())
            .member("recovered", recovered)
            .name("mean")
            .raw(number(mean()))
            .name("min")
            .raw(number(aggregate.min()))
            .name("max")
            .raw(number(aggregate.max()))
            .name("last")
            .raw(number(aggregate.last()))
            .close('}')
            .toOctets();
    return new String(line, StandardCharsets.UTF_8) + "\n";
  }

  private double mean() {
    return aggregate.sum() / aggregate.count();
  }

  private String resolutionWord() {
    return resolution.name().toLowerCase(Locale.ROOT);
  }

  private String number(double value) {
    return SenmlPack.decimal(shown.applyAsDouble(value));
  }
}
