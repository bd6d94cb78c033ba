package dev.vigil.gateway.northbound.template;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.vigil.gateway.northbound.Language;
import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The names of a template, and their values for an event. A name without a value is empty. */
public final class EventNames {
  private static final JsonMapper JSON = new JsonMapper();

  private static final List<String> VALUES =
      List.of(
          "count",
          "d",
          "ep",
          "gateway",
          "heading",
          "id",
          "link",
          "part",
          "rule",
          "seq",
          "severity",
          "since",
          "state",
          "text",
          "time",
          "type",
          "unit",
          "value");

  /** An event has one of these sections; a test also has {@code info}. */
  private static final List<String> SECTIONS =
      List.of("critical", "warning", "info", "acknowledged", "cleared", "reading", "lost", "test");

  /** Replaces the characters that have a meaning in Slack's markup and in HTML. */
  private static final String ENTITIES = "entities";

  /** All names, with whether each may only begin a section. */
  static final Map<String, Boolean> ALL =
      Stream.concat(
              VALUES.stream().map(name -> Map.entry(name, false)),
              Stream.concat(SECTIONS.stream(), Stream.of(ENTITIES))
                  .map(name -> Map.entry(name, true)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final Escaping escaping;
  private final Language language;
  private final Links links;

  /** Finds the address of a page. */
  @FunctionalInterface
  public interface Links {
    /**
     * @param endpoint id of an endpoint; null: the page of the alarms
     * @return null: no setting names the gateway's public address
     */
    @Nullable String of(@Nullable String endpoint);
  }

  EventNames(Escaping escaping, Language language, Links links) {
    this.escaping = escaping;
    this.language = language;
    this.links = links;
  }

  /**
   * @param event a CloudEvent in JSON
   */
  Map<String, Object> of(String event) {
    JsonNode all = JSON.readTree(event);
    JsonNode data = all.path("data");
    Map<String, Object> names = new HashMap<>();
    VALUES.forEach(name -> names.put(name, ""));
    SECTIONS.forEach(name -> names.put(name, false));
    names.put(ENTITIES, (Mustache.Lambda) this::writeEntities);
    for (String name : List.of("id", "type", "time")) {
      names.put(name, all.path(name).asString(""));
    }
    for (String name : List.of("d", "ep", "gateway", "rule", "severity", "state", "seq", "count")) {
      names.put(name, data.path(name).asString(""));
    }
    switch (all.path("type").asString("")) {
      case "dev.vigil.alarm" -> putAlarm(data, names);
      case "dev.vigil.value" -> putReading(data, names);
      case "dev.vigil.lost" -> putLost(data, names);
      case "dev.vigil.automation" -> putAutomation(data, names);
      default -> putTest(names);
    }
    return names;
  }

  private void putAlarm(JsonNode data, Map<String, Object> names) {
    String severity = data.path("severity").asString("info");
    String state = data.path("state").asString("active");
    names.put("active".equals(state) ? severity : state, true);
    String text = data.path("text").asString("");
    names.put("text", language.word(text, data.path("texts").path("de").asString(text)));
    names.put("heading", language.heading(severity, state));
    names.put("part", data.path("part").asString(""));
    names.put("since", data.path("raisedAt").asString(""));
    putLink(data.path("endpoint").asString(null), names);
  }

  private void putLink(@Nullable String endpoint, Map<String, Object> names) {
    String link = links.of(endpoint);
    names.put("link", link == null ? "" : link);
  }

  /** Of a reading with several records, the last. */
  private void putReading(JsonNode data, Map<String, Object> names) {
    names.put("reading", true);
    JsonNode senml = data.path("senml");
    JsonNode last = senml.path(senml.size() - 1);
    String value =
        Stream.of("v", "vs", "vb", "vd", "s")
            .map(member -> last.path(member).asString(""))
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse("");
    String part = data.path("path").asString("");
    String unit = last.path("u").asString("");
    names.put("value", value);
    names.put("unit", unit);
    names.put("part", part);
    names.put("heading", language.word("reading", "Messwert"));
    names.put(
        "text", "%s/%s: %s %s".formatted(data.path("ep").asString(""), part, value, unit).strip());
  }

  private void putLost(JsonNode data, Map<String, Object> names) {
    String number = data.path("readings").asString("");
    names.put("lost", true);
    names.put("count", number);
    names.put("heading", language.word("lost values", "verlorene Werte"));
    names.put(
        "text",
        language
            .word(
                "%s values were removed before they could be delivered",
                "%s Werte wurden gelöscht, bevor sie ankamen")
            .formatted(number));
    putLink(null, names);
  }

  private void putAutomation(JsonNode data, Map<String, Object> names) {
    names.put("info", true);
    names.put("severity", "info");
    names.put("state", "active");
    names.put("rule", data.path("automation").asString(""));
    names.put("heading", language.word("automation", "Automatisierung"));
    names.put("text", data.path("text").asString(""));
    putLink(null, names);
  }

  private void putTest(Map<String, Object> names) {
    names.put("test", true);
    names.put("info", true);
    names.put("severity", "info");
    names.put("state", "active");
    names.put("heading", language.word("test", "Test"));
    names.put(
        "text",
        language.word(
            "This is a test. Vigil can deliver to this destination.",
            "Dies ist ein Test. Vigil erreicht dieses Ziel."));
    putLink(null, names);
  }

  /**
   * Replaces the characters in their escaped form, because the values in the fragment are already
   * escaped.
   */
  private void writeEntities(Template.Fragment fragment, Writer out) throws IOException {
    String text = fragment.execute();
    text = text.replace(escaping.escaped("&"), escaping.escaped("&amp;"));
    text = text.replace(escaping.escaped("<"), escaping.escaped("&lt;"));
    out.write(text.replace(escaping.escaped(">"), escaping.escaped("&gt;")));
  }
}
