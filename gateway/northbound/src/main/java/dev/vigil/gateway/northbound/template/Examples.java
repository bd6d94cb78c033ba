package dev.vigil.gateway.northbound.template;

import java.util.List;
import java.util.stream.Stream;

/** Events of each kind, with as many and with as few members as possible. */
final class Examples {
  /**
   * @param type of the event
   * @param event the CloudEvent in JSON
   */
  record Example(String type, String event) {}

  private static final String HEAD =
      "{\"specversion\":\"1.0\",\"id\":\"7.a\",\"type\":\"%s\",\"source\":\"/\","
          + "\"time\":\"2026-01-01T00:00:00Z\",\"data\":%s}";

  static final List<Example> ALL =
      Stream.concat(
              Stream.of(
                  event(
                      "dev.vigil.value",
                      """
                      {"ep":"a \\"quoted\\\\ name","d":"lab","path":"temp","seq":7,"senml":[{"n":"temp","u":"Cel","v":-1.5}]}\
                      """),
                  event("dev.vigil.lost", "{\"readings\":3}"),
                  event("dev.vigil.test", "{}")),
              Stream.of("active", "acknowledged", "cleared")
                  .flatMap(
                      state ->
                          Stream.of("info", "warning", "critical")
                              .flatMap(severity -> alarms(severity, state))))
          .toList();

  /** Without and with an address of the page. */
  static final List<EventNames.Links> LINKS =
      List.of(endpoint -> null, endpoint -> "https://gateway.example/#/alarms");

  private Examples() {}

  private static Stream<Example> alarms(String severity, String state) {
    return Stream.of(
        event(
            "dev.vigil.alarm",
            """
            {"id":"a1","rule":"missing","kind":"missing","severity":"%s","state":"%s","d":"lab",\
            "ep":"a \\"quoted\\\\ name","endpoint":"7","part":"temp","text":"line\\none","count":2,\
            "texts":{"en":"line\\none","de":"Zeile\\n1"},"raisedAt":"2026-01-01T00:00:00Z"}\
            """
                .formatted(severity, state)),
        event(
            "dev.vigil.alarm",
            """
            {"id":"a1","rule":"disk","kind":"disk","severity":"%s","state":"%s","text":"little room",\
            "texts":{"en":"little room","de":"wenig Platz"},"count":1,"raisedAt":"2026-01-01T00:00:00Z"}\
            """
                .formatted(severity, state)));
  }

  private static Example event(String type, String data) {
    return new Example(type, HEAD.formatted(type, data));
  }
}
