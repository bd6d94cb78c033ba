package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.store.Resolution;
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
 * @param resolution what the answer was computed from: values, which the gateway still has as the
 *     endpoint signed them (except recovered ones), or the gateway's own aggregates of each minute,
 *     hour or day, which nobody signed
 * @param valuesSince the oldest measurement among the values that the gateway still has; absent
 *     without one
 * @param aggregatesSince the start of the oldest aggregate; absent without one
 * @param values in the order that was asked for; absent when buckets were requested
 * @param series buckets by name; absent when values were requested
 * @param next the {@code after} of the next page; absent at the end
 */
record HistoryJson(
    @LabelsOf(Source.class) String resolution,
    @Nullable Instant valuesSince,
    @Nullable Instant aggregatesSince,
    @Nullable List<ValueJson> values,
    @Nullable List<TimeBuckets.SeriesJson> series,
    @Nullable Long next) {

  /** The data from which an answer was computed. */
  enum Source {
    VALUES,
    MINUTE,
    HOUR,
    DAY;

    static Source of(Resolution resolution) {
      return switch (resolution) {
        case MINUTE -> MINUTE;
        case HOUR -> HOUR;
        case DAY -> DAY;
      };
    }
  }

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
