package dev.vigil.gateway.northbound.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.gateway.northbound.events.EventFilter;
import dev.vigil.gateway.northbound.template.AlarmEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The settings of docs/guide/connect-chat.md. The rules are those of the services' public
 * documentation: Slack's incoming webhooks and block kit, ntfy's "Publish as JSON", sendMessage of
 * Telegram's Bot API, Teams' workflows with Adaptive Cards 1.4.
 */
class ReadyMadeSettingsTest {
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  /** Text that each of the services would interpret somewhere. */
  private static final String HOSTILE =
      "\"}]} <!channel> <https://evil.example|x> *b* [a](https://evil.example) <b>&amp; \\ \n";

  private static final List<CloudEvent> EVENTS =
      Stream.concat(
              Stream.of("active", "acknowledged", "cleared")
                  .flatMap(
                      state ->
                          Stream.of("info", "warning", "critical")
                              .map(
                                  severity ->
                                      AlarmEvents.alarm(HOSTILE, severity, state, HOSTILE))),
              Stream.of(CloudEvents.test("webhook:chat", Instant.EPOCH)))
          .toList();

  private static WebhookProperties settings(String name) throws IOException {
    String page = Files.readString(Path.of("../../docs/guide/connect-chat.md"));
    String yaml =
        YAML.matcher(page)
            .results()
            .map(block -> block.group(1))
            .filter(block -> block.contains("webhook." + name + ":"))
            .findFirst()
            .orElseThrow();
    var source =
        new YamlPropertySourceLoader()
            .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
    WebhookProperties settings =
        new Binder(ConfigurationPropertySources.from(source))
            .bind("vigil.northbound.webhook." + name, WebhookProperties.class)
            .get();
    settings.require("northbound.webhook." + name);
    assertThat(settings.events()).containsExactly(EventFilter.Kind.ALARM);
    return settings;
  }

  /** Checks the body of every event, with and without a link. */
  private static void each(WebhookProperties settings, Consumer<JsonNode> check) {
    for (@Nullable String link :
        new @Nullable String[] {null, "https://gateway.example/#/endpoints/7"}) {
      var template = settings.template("x", endpoint -> link).orElseThrow();
      for (CloudEvent event : EVENTS) {
        check.accept(JsonMapper.shared().readTree(template.render(event.json()).orElseThrow()));
      }
    }
  }

  private static void requireText(JsonNode text, int max) {
    assertThat(text.isString()).as(text.toString()).isTrue();
    assertThat(text.asString()).isNotBlank().hasSizeLessThanOrEqualTo(max);
  }

  private static void requireMembers(JsonNode node, Map<String, Boolean> members) {
    assertThat(members.keySet()).containsAll(node.propertyNames());
    members.forEach((name, required) -> assertThat(!required || node.has(name)).as(name).isTrue());
  }

  @Test
  void slackGetsTextAndBlocks() throws Exception {
    each(
        settings("slack"),
        body -> {
          requireMembers(body, Map.of("text", true, "blocks", true));
          requireText(body.path("text"), 40_000);
          assertThat(body.path("text").asString()).doesNotContain("<", ">");
          assertThat(body.path("blocks").size()).isBetween(2, 50);
          body.path("blocks").forEach(ReadyMadeSettingsTest::requireBlock);
        });
  }

  private static void requireBlock(JsonNode block) {
    switch (block.path("type").asString()) {
      case "header" -> requirePlain(block, 150);
      case "section" -> requirePlain(block, 3000);
      case "context" -> {
        requireMembers(block, Map.of("type", true, "elements", true));
        assertThat(block.path("elements").size()).isBetween(1, 10);
        for (JsonNode element : block.path("elements")) {
          assertThat(element.path("type").asString()).isEqualTo("mrkdwn");
          assertThat(element.path("text").asString())
              .isEqualTo("<https://gateway.example/#/endpoints/7|Vigil>");
        }
      }
      default -> throw new AssertionError(block.toString());
    }
  }

  /** Text from others is in plain_text, in which Slack interprets neither links nor mentions. */
  private static void requirePlain(JsonNode block, int max) {
    requireMembers(block, Map.of("type", true, "text", true));
    assertThat(block.path("text").path("type").asString()).isEqualTo("plain_text");
    requireText(block.path("text").path("text"), max);
  }

  @Test
  void ntfyGetsATopicAndAPriority() throws Exception {
    WebhookProperties settings = settings("ntfy");
    assertThat(settings.url()).hasPath("/");
    assertThat(settings.headerFiles()).containsOnlyKeys("Authorization");
    each(
        settings,
        body -> {
          requireMembers(
              body,
              Map.of(
                  "topic",
                  true,
                  "title",
                  false,
                  "message",
                  false,
                  "priority",
                  false,
                  "click",
                  false));
          assertThat(body.path("topic").asString()).matches("[-_A-Za-z0-9]{1,64}");
          requireText(body.path("message"), 4096);
          requireText(body.path("title"), 1024);
          assertThat(body.path("priority").isInt()).isTrue();
          assertThat(body.path("priority").asInt()).isBetween(1, 5);
          assertThat(body.path("click").asString("https://")).startsWith("https://");
        });
  }

  @Test
  void ntfysPriorityFollowsTheSeverity() throws Exception {
    var template = settings("ntfy").template("x", endpoint -> null).orElseThrow();
    for (Map.Entry<String, Integer> priority :
        Map.of("critical", 5, "warning", 4, "info", 3).entrySet()) {
      CloudEvent event = AlarmEvents.alarm("a", priority.getKey(), "active", "x");
      assertThat(
              JsonMapper.shared()
                  .readTree(template.render(event.json()).orElseThrow())
                  .path("priority")
                  .asInt())
          .isEqualTo(priority.getValue());
    }
  }

  @Test
  void telegramGetsAPlainMessage() throws Exception {
    WebhookProperties settings = settings("telegram");
    assertThat(settings.url())
        .asString()
        .matches("https://api\\.telegram\\.org/bot\\d+:[\\w-]{35}/sendMessage");
    each(
        settings,
        body -> {
          // Without parse_mode Telegram takes the text literally.
          requireMembers(
              body,
              Map.of(
                  "chat_id",
                  true,
                  "text",
                  true,
                  "link_preview_options",
                  false,
                  "disable_notification",
                  false));
          requireText(body.path("text"), 4096);
          assertThat(body.path("chat_id").asString()).matches("-?\\d+|@\\w+");
          assertThat(body.path("disable_notification").isBoolean()).isTrue();
          assertThat(body.path("link_preview_options").path("is_disabled").isBoolean()).isTrue();
        });
  }

  @Test
  void teamsGetsAnAdaptiveCard() throws Exception {
    each(
        settings("teams"),
        body -> {
          requireMembers(body, Map.of("type", true, "attachments", true));
          assertThat(body.path("type").asString()).isEqualTo("message");
          assertThat(body.toString().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(28 << 10);
          for (JsonNode attachment : body.path("attachments")) {
            requireMembers(attachment, Map.of("contentType", true, "content", true));
            assertThat(attachment.path("contentType").asString())
                .isEqualTo("application/vnd.microsoft.card.adaptive");
            requireCard(attachment.path("content"));
          }
          assertThat(body.path("attachments").size()).isEqualTo(1);
        });
  }

  private static void requireCard(JsonNode card) {
    requireMembers(
        card,
        Map.of("$schema", true, "type", true, "version", true, "body", true, "actions", false));
    assertThat(card.path("type").asString()).isEqualTo("AdaptiveCard");
    assertThat(card.path("version").asString()).isEqualTo("1.4");
    for (JsonNode action : card.path("actions")) {
      requireMembers(action, Map.of("type", true, "title", true, "url", true));
      assertThat(action.path("type").asString()).isEqualTo("Action.OpenUrl");
      assertThat(action.path("url").asString()).startsWith("https://gateway.example/");
    }
    assertThat(card.path("body").size()).isEqualTo(1);
    for (JsonNode element : card.path("body")) {
      // A TextRun has no Markdown, unlike a TextBlock.
      assertThat(element.path("type").asString()).isEqualTo("RichTextBlock");
      assertThat(element.path("inlines").size()).isEqualTo(2);
      for (JsonNode run : element.path("inlines")) {
        requireMembers(run, Map.of("type", true, "text", true, "weight", false));
        assertThat(run.path("type").asString()).isEqualTo("TextRun");
        requireText(run.path("text"), 20_000);
      }
    }
  }
}
