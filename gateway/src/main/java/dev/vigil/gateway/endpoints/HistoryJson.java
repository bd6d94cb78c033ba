package dev.vigil.gateway.endpoints;

import dev.vigil.mirror.ArchivedValue;
import dev.vigil.mirror.Mark;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Value;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured, either value by value or in buckets.
 *
 * @param values oldest update first; absent where buckets were asked for
 * @param series buckets by name; absent where values were asked for
 * @param next what to give as {@code after} for the rest; absent at the end
 */
record HistoryJson(
    @Nullable List<ValueJson> values,
    @Nullable List<Buckets.SeriesJson> series,
    @Nullable Long next) {

  /**
   * @param seq of the update that brought it
   * @param name whole, as resolved
   * @param value a number, a text, true or false; octets in base64url; absent beside a sum
   * @param delayed whether it came long after it was measured
   */
  record ValueJson(
      long seq,
      Instant measuredAt,
      Instant arrivedAt,
      String name,
      @Nullable String unit,
      @Nullable Object value,
      @Nullable Double sum,
      boolean delayed) {

    static ValueJson of(ArchivedValue update, Measurement measurement) {
      return new ValueJson(
          update.seq(),
          Instant.ofEpochMilli(Math.round(measurement.time() * 1000)),
          update.arrived(),
          measurement.name(),
          measurement.unit(),
          plain(measurement.value()),
          measurement.sum(),
          update.marks().contains(Mark.DELAYED));
    }

    private static @Nullable Object plain(@Nullable Value value) {
      return switch (value) {
        case null -> null;
        case Value.Number(double number) -> number;
        case Value.Text(String text) -> text;
        case Value.Bool(boolean bool) -> bool;
        case Value.Data(byte[] octets) ->
            Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
      };
    }
  }
}
