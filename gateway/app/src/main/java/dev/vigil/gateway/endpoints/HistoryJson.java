package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
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

  /** The proof behind a value: the mote's signature, or ESP between mote and gateway. */
  enum Provenance {
    SIGNED,
    RECOVERED
  }

  /**
   * @param seq sequence number of the update; for a recovered value, the number of the update that
   *     should have carried it, 0 if there was none
   * @param name resolved SenML name (RFC 8428 section 4.6)
   * @param value number, text, true or false; octets in base64url; absent when there is only a sum
   * @param delayed whether the update arrived long after the measurement
   * @param provenance signed: the endpoint signed it; recovered: fetched later from the mote's
   *     block store, authenticated by ESP between mote and gateway, and not signed
   */
  record ValueJson(
      long seq,
      Instant measuredAt,
      Instant arrivedAt,
      String name,
      @Nullable String unit,
      @Schema(types = {"number", "string", "boolean"}) @Nullable Object value,
      @Nullable Double sum,
      boolean delayed,
      @LabelsOf(Provenance.class) String provenance) {

    static ValueJson of(ArchivedValue update, ResolvedRecord measurement) {
      return new ValueJson(
          update.seq(),
          Instant.ofEpochMilli(Math.round(measurement.time() * 1000)),
          update.arrived(),
          measurement.name(),
          measurement.unit(),
          plain(measurement.value()),
          measurement.sum(),
          update.marks().contains(ValueMark.DELAYED),
          LabelsOf.Label.of(Provenance.SIGNED));
    }

    static ValueJson of(Recovered recovered) {
      RecoveredValue value = recovered.value();
      return new ValueJson(
          value.seq(),
          value.measured(),
          recovered.at(),
          value.name(),
          value.unit(),
          value.value().doubleValue(),
          null,
          false,
          LabelsOf.Label.of(Provenance.RECOVERED));
    }
  }

  /** The JSON value of a SenML value; octets in base64url. */
  static @Nullable Object plain(@Nullable SenmlValue value) {
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
