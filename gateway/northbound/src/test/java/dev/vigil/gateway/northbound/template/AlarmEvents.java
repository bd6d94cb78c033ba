package dev.vigil.gateway.northbound.template;

import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.signed.json.JsonWriter;

/** Alarms for the tests of templates. */
public final class AlarmEvents {
  private AlarmEvents() {}

  /** An alarm about endpoint 7, named {@code ep}. */
  public static CloudEvent alarm(String ep, String severity, String state, String text) {
    JsonWriter data = new JsonWriter().open('{').member("id", "a1").member("rule", "too-hot");
    data.member("severity", severity).member("state", state).member("d", "lab").member("ep", ep);
    data.member("endpoint", "7").member("part", "temp").member("text", text).member("count", 2);
    data.name("texts").open('{').member("en", text).member("de", "auf Deutsch: " + text).close('}');
    data.member("raisedAt", "2026-01-01T00:00:00Z").close('}');
    return event("dev.vigil.alarm", data.toString());
  }

  static CloudEvent event(String type, String data) {
    JsonWriter event = new JsonWriter().open('{').member("specversion", "1.0");
    event.member("id", "7.a1").member("type", type).member("time", "2026-01-01T00:00:01Z");
    event.name("data").raw(data).close('}');
    return new CloudEvent("7.a1", type, event.toString());
  }
}
