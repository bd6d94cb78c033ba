package dev.vigil.gateway.northbound.events;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.gateway.northbound.messages.OutgoingEvent;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Converts a change of the feed into events. */
public final class CloudEvents {
  private final EventFilter filter;
  private final MirrorQueries mirror;
  private final AlarmNotices alarms;

  public CloudEvents(EventFilter filter, MirrorQueries mirror, AlarmNotices alarms) {
    this.filter = filter;
    this.mirror = mirror;
    this.alarms = alarms;
  }

  /** Whether a change produces at least one event. */
  public boolean concerns(Change change) {
    return readings(change) > 0 || filter.alarms() && alarms.concerns(change);
  }

  /** Number of values in a change. Alarms do not count because only their newest state matters. */
  public int readings(Change change) {
    return filter.values()
            && !change.endpoint().isReserved()
            && filter.includes(change.endpoint().d())
        ? ValueFacts.count(change)
        : 0;
  }

  /** The events of a change, in order. */
  public List<CloudEvent> of(Change change) {
    List<CloudEvent> events = new ArrayList<>();
    if (readings(change) > 0) {
      if (mirror.presence(change.id()).filter(presence -> !presence.trusted()).isEmpty()) {
        change.facts().stream()
            .filter(ValueFacts::isValue)
            .forEach(fact -> events.add(value(change, fact)));
      }
    } else {
      for (AlarmNotice notice : alarms.of(change)) {
        if (notice.d() == null ? filter.includesGateway() : filter.includes(notice.d())) {
          events.add(alarm(change, notice));
        }
      }
    }
    return events;
  }

  private static CloudEvent value(Change change, Fact fact) {
    StoredValue value = ValueFacts.value(change, fact);
    String path = value.path();
    JsonWriter data = new JsonWriter().open('{');
    data.member("ep", change.endpoint().ep()).member("d", change.endpoint().d());
    data.member("path", path).member("seq", value.seq());
    data.name("senml")
        .raw(
            new String(
                SenmlPack.of(value.pack().resolve(value.arrived() / 1000.0)).writeJson(),
                StandardCharsets.UTF_8));
    if (value.format() == ContentFormat.JOSE) {
      data.member("jws", new String(value.signed(), StandardCharsets.US_ASCII));
    } else {
      data.member("cose", Base64.getUrlEncoder().withoutPadding().encodeToString(value.signed()));
    }
    String source = "/ms/" + change.id() + "/" + path;
    return event(
        change.position() + "." + path, "dev.vigil.value", source, change.at(), data.close('}'));
  }

  private static CloudEvent alarm(Change change, AlarmNotice notice) {
    return event(
        change.position() + "." + notice.id(),
        "dev.vigil.alarm",
        "/api/alarms/" + notice.id(),
        change.at(),
        notice.json());
  }

  /**
   * The event that reports lost values.
   *
   * @param at time at which the loss was noticed; the time makes the id unique
   */
  public static CloudEvent lost(long number, Instant at) {
    JsonWriter data = new JsonWriter().open('{').member("readings", number).close('}');
    return event("lost." + at.toEpochMilli(), "dev.vigil.lost", "/api/northbound", at, data);
  }

  /**
   * The event that tests a destination.
   *
   * @param destination its name
   * @param at time of the test; the time makes the id unique
   */
  public static CloudEvent test(String destination, Instant at) {
    JsonWriter data = new JsonWriter().open('{').member("destination", destination);
    data.member("text", "This is a test. Vigil can deliver to this destination.").close('}');
    return event("test." + at.toEpochMilli(), "dev.vigil.test", "/api/northbound", at, data);
  }

  /** An event that another feature sends. */
  public static CloudEvent of(OutgoingEvent event) {
    return event(event.id(), event.type(), event.source(), event.at(), event.data());
  }

  private static CloudEvent event(String id, String type, String source, Instant at, Object data) {
    JsonWriter json = new JsonWriter().open('{').member("specversion", "1.0").member("id", id);
    json.member("type", type).member("source", source).member("time", at.toString());
    json.member("datacontenttype", "application/json").name("data").raw(data.toString());
    return new CloudEvent(id, type, json.close('}').toString());
  }
}
