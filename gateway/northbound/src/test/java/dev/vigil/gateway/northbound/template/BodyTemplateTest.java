package dev.vigil.gateway.northbound.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.northbound.Language;
import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.northbound.events.CloudEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class BodyTemplateTest {
  private static final String JSON = "application/json";
  private static final CloudEvent HOT =
      AlarmEvents.alarm("oven", "critical", "active", "oven is too hot");

  private static BodyTemplate template(String text, String type) throws InvalidTemplateException {
    return BodyTemplate.of(text, type, Language.EN, endpoint -> "https://g/#/" + endpoint);
  }

  private static String rendered(String text, CloudEvent event) throws InvalidTemplateException {
    return template(text, "text/plain").render(event.json()).orElse("");
  }

  @Test
  void noValueLeavesItsQuotes() throws Exception {
    String hostile = "\",\"chat_id\":\"1\\\n\t{{ep}}\u2028</b>";
    CloudEvent event = AlarmEvents.alarm(hostile, "info", "active", hostile);
    String body =
        template("{\"a\":\"{{text}}\",\"b\":\"{{ep}}\"}", "application/vnd.x+json; charset=utf-8")
            .render(event.json())
            .orElseThrow();
    var json = JsonMapper.shared().readTree(body);
    assertThat(json.propertyNames()).containsExactly("a", "b");
    assertThat(json.path("a").asString()).isEqualTo(hostile);
    assertThat(json.path("b").asString()).isEqualTo(hostile);
    assertThat(
            template("text={{text}}&to=me", "application/x-www-form-urlencoded")
                .render(AlarmEvents.alarm("a", "info", "active", "a&to=you ä").json())
                .orElseThrow())
        .isEqualTo("text=a%26to%3Dyou+%C3%A4&to=me");
  }

  @Test
  void namesOfAnAlarmAreFilled() throws Exception {
    assertThat(
            rendered(
                "{{id}} {{type}} {{time}} {{d}}/{{ep}}/{{part}} {{rule}} {{severity}} {{state}} "
                    + "{{heading}} {{text}} {{count}} {{since}} {{link}}",
                HOT))
        .isEqualTo(
            "7.a1 dev.vigil.alarm 2026-01-01T00:00:01Z lab/oven/temp too-hot critical active"
                + " critical oven is too hot 2 2026-01-01T00:00:00Z https://g/#/7");
    assertThat(
            BodyTemplate.of("{{heading}}: {{text}}", "text/plain", Language.DE, endpoint -> null)
                .render(HOT.json()))
        .hasValue("kritisch: auf Deutsch: oven is too hot");
  }

  @Test
  void anAlarmHasOneSection() throws Exception {
    String all =
        "{{#critical}}C{{/critical}}{{#warning}}W{{/warning}}{{#info}}I{{/info}}"
            + "{{#acknowledged}}A{{/acknowledged}}{{#cleared}}X{{/cleared}}{{#test}}T{{/test}}"
            + "{{#reading}}R{{/reading}}{{#lost}}L{{/lost}}";
    assertThat(rendered(all, HOT)).isEqualTo("C");
    assertThat(rendered(all, AlarmEvents.alarm("a", "warning", "active", "x"))).isEqualTo("W");
    assertThat(rendered(all, AlarmEvents.alarm("a", "critical", "acknowledged", "x")))
        .isEqualTo("A");
    assertThat(rendered(all, AlarmEvents.alarm("a", "critical", "cleared", "x"))).isEqualTo("X");
    assertThat(rendered(all, CloudEvents.lost(3, Instant.EPOCH))).isEqualTo("L");
    assertThat(rendered(all, CloudEvents.test("webhook:shop", Instant.EPOCH))).isEqualTo("IT");
  }

  @Test
  void aReadingAndAGapAreTextsToo() throws Exception {
    CloudEvent reading =
        AlarmEvents.event(
            "dev.vigil.value",
            "{\"ep\":\"oven\",\"d\":\"lab\",\"path\":\"temp\",\"seq\":9,\"senml\":"
                + "[{\"n\":\"x\",\"v\":1},{\"n\":\"temp\",\"u\":\"Cel\",\"v\":81.5}]}");
    assertThat(rendered("{{text}}|{{value}}|{{unit}}|{{part}}|{{seq}}", reading))
        .isEqualTo("oven/temp: 81.5 Cel|81.5|Cel|temp|9");
    CloudEvent open =
        AlarmEvents.event(
            "dev.vigil.value",
            "{\"ep\":\"door\",\"path\":\"open\",\"seq\":1,\"senml\":[{\"n\":\"open\",\"vb\":false}]}");
    assertThat(rendered("{{text}}", open)).isEqualTo("door/open: false");
    assertThat(rendered("{{heading}}: {{text}} {{count}}", CloudEvents.lost(3, Instant.EPOCH)))
        .isEqualTo("lost values: 3 values were removed before they could be delivered 3");
  }

  @Test
  void anEmptyBodyLeavesTheEventOut() throws Exception {
    BodyTemplate critical = template("{{#critical}}\n{\"a\":\"{{text}}\"}\n{{/critical}}\n", JSON);
    assertThat(critical.render(HOT.json())).isPresent();
    assertThat(critical.render(AlarmEvents.alarm("a", "critical", "cleared", "x").json()))
        .isEmpty();
  }

  @Test
  void entitiesHideWhatSlackInterprets() throws Exception {
    assertThat(
            rendered(
                "{{#entities}}{{text}}{{/entities}}",
                AlarmEvents.alarm("a", "info", "active", "<!channel> & <b>")))
        .isEqualTo("&lt;!channel&gt; &amp; &lt;b&gt;");
    assertThat(
            template(
                    "text={{#entities}}{{text}}{{/entities}}&parse_mode=HTML",
                    "application/x-www-form-urlencoded")
                .render(AlarmEvents.alarm("a", "info", "active", "<b>&").json()))
        .hasValue("text=%26lt%3Bb%26gt%3B%26amp%3B&parse_mode=HTML");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `{"a":"{{txt}}"}` | line 1, column 7: there is no name "txt"; the names are [acknowledged,
          `{"a":\n "{{text}"}` | line 2, column 3: }} is missing
          `{{#ep}}"a"` | line 1, column 1: {{/ep}} is missing
          `{{#ep}}{{#d}}{{/ep}}{{/d}}` | line 1, column 14: {{/ep}} does not end the section
          `{{/ep}}` | line 1, column 1: {{/ep}} does not end the section
          `"{{{text}}}"` | line 1, column 2: values are always escaped
          `"{{&text}}"` | line 1, column 2: values are always escaped
          `{{> other}}` | line 1, column 1: partials and other delimiters
          `{{=<% %>=}}` | line 1, column 1: partials and other delimiters
          `{{critical}}` | line 1, column 1: "critical" begins a section
          `{{text.value}}` | line 1, column 1: there is no name "text.value"
          `{{.}}` | line 1, column 1: there is no name "."
          """)
  void aWrongTemplateIsRefusedWithItsPlace(String text, String fault) {
    assertThatThrownBy(() -> template(text.replace("\\n", "\n"), JSON))
        .isInstanceOf(InvalidTemplateException.class)
        .hasMessageContaining(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `{"a": {{text}}}` | dev.vigil.value: line 1, column
          `{"a": "{{text}}",\n {{#link}}"b": "{{link}}"{{/link}}}` | line 2, column
          `{"a": 1} {"b": 2}` | line 1, column
          `{"priority": {{#critical}}5{{/critical}}}` | line 1, column
          """)
  void aBodyThatIsNoJsonIsRefusedWithItsPlace(String text, String fault) {
    assertThatThrownBy(() -> template(text.replace("\\n", "\n"), JSON))
        .isInstanceOf(InvalidTemplateException.class)
        .hasMessageContaining("does not make JSON")
        .hasMessageContaining(fault);
  }

  @Test
  void theGuideHasEveryName() throws IOException {
    String page = Files.readString(Path.of("../../docs/guide/connect-webhooks.md"));
    assertThat(EventNames.ALL.keySet())
        .allSatisfy(name -> assertThat(page).containsAnyOf("`" + name + "`", "{{#" + name + "}}"));
  }

  @Test
  void onlyTypesWithAnEscapingAreSupported() {
    assertThat(BodyTemplate.supports("application/json; charset=utf-8")).isTrue();
    assertThat(BodyTemplate.supports("text/html")).isFalse();
  }
}
