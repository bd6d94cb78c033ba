package dev.vigil.gateway.endpoints;

import dev.vigil.mirror.read.ArchivedValue;
import dev.vigil.mirror.read.ValueMark;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history of a resource, as single values or in buckets of time.
 *
 * @param values in the order that was asked for; absent when buckets were requested
 * @param series buckets by name; absent when values were requested
 * @param next the {@code after} of the next page; absent at the end
 */
record HistoryJson(
    @Nullable List<ValueJson> values,
    @Nullable List<TimeBuckets.SeriesJson> series,
    @Nullable Long next) {

  /**
   * @param seq sequence number of the update
   * @param name resolved SenML name (RFC 8428 section 4.6)
   * @param value number, text, true or false; octets in base64url; absent when there is only a sum
   * @param delayed whether the update arrived long after the measurement
   */
  record ValueJson(
      long seq,
      Instant measuredAt,
      Instant arrivedAt,
      String name,
      @Nullable String unit,
      @Schema(types = {"number", "string", "boolean"}) @Nullable Object value,
      @Nullable Double sum,
      boolean delayed) {

    static ValueJson of(ArchivedValue update, ResolvedRecord measurement) {
      return new ValueJson(
          update.seq(),
          Instant.ofEpochMilli(Math.round(measurement.time() * 1000)),
          update.arrived(),
          measurement.name(),
          measurement.unit(),
          plain(measurement.value()),
          measurement.sum(),
          update.marks().contains(ValueMark.DELAYED));
    }

    private static @Nullable Object plain(@Nullable SenmlValue value) {
      return switch (value) {
        case null -> null;
        case SenmlValue.Number(double number) -> number;
        case SenmlValue.Text(String text) -> text;
        case SenmlValue.Bool(boolean bool) -> bool;
        case SenmlValue.Data(byte[] octets) ->
            Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
      };
    }
  }
}
