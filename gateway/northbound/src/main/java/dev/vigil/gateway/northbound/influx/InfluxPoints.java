package dev.vigil.gateway.northbound.influx;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.time.Instant;

/** Converts a change of the feed into points, one for each record of its values. */
final class InfluxPoints {
  private static final double MICROS = 1e6;
  private static final long NANOS_PER_MICRO = 1000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final InfluxProperties settings;
  private final MirrorQueries mirror;

  InfluxPoints(InfluxProperties settings, MirrorQueries mirror) {
    this.settings = settings;
    this.mirror = mirror;
  }

  int readings(Change change) {
    return change.endpoint().isReserved() || !settings.includes(change.endpoint().d())
        ? 0
        : ValueFacts.count(change);
  }

  void add(Change change, LineProtocol lines) {
    if (mirror.presence(change.id()).filter(presence -> !presence.trusted()).isPresent()) {
      return;
    }
    for (Fact fact : change.facts()) {
      if (ValueFacts.isValue(fact)) {
        StoredValue value = ValueFacts.value(change, fact);
        for (ResolvedRecord one : value.pack().resolve(value.arrived() / 1000.0)) {
          add(change, value, one, lines);
        }
      }
    }
  }

  private void add(Change change, StoredValue value, ResolvedRecord one, LineProtocol lines) {
    if (one.sum() == null && (one.value() == null || one.value() instanceof SenmlValue.Data)) {
      return;
    }
    String d = change.endpoint().d();
    lines
        .point(settings.measurement())
        .tag("d", d.isEmpty() ? DomainNames.NAMELESS : d)
        .tag("ep", change.endpoint().ep())
        .tag("name", one.name())
        .tag("path", value.path())
        .tag("unit", one.unit());
    // Each kind of value has a separate field, because the type of a field never changes.
    switch (one.value()) {
      case SenmlValue.Number number -> lines.field("value", number.value());
      case SenmlValue.Text text -> lines.field("text", text.value());
      case SenmlValue.Bool bool -> lines.field("on", bool.value());
      case SenmlValue.Data _ -> {}
      case null -> {}
    }
    Double sum = one.sum();
    if (sum != null) {
      lines.field("sum", sum);
    }
    // A double can express the present time only to microseconds. The sequence number in the
    // nanoseconds separates values of the same time, which would otherwise replace each other.
    lines
        .field("seq", value.seq())
        .end(Math.round(one.time() * MICROS) * NANOS_PER_MICRO + value.seq() % NANOS_PER_MICRO);
  }

  /** A point that tests the database; its measurement is not that of values. */
  String test(Instant at) {
    return new LineProtocol()
        .point(settings.measurement() + "_test")
        .field("readings", 0)
        .end(at.getEpochSecond() * NANOS_PER_SECOND + at.getNano())
        .toString();
  }

  /** A point with the number of readings that were lost. */
  String lost(long number, Instant at) {
    return new LineProtocol()
        .point(settings.measurement() + "_lost")
        .field("readings", number)
        .end(at.getEpochSecond() * NANOS_PER_SECOND + at.getNano())
        .toString();
  }
}
