package dev.vigil.gateway.automations.rules;

import dev.vigil.gateway.automations.rules.AutomationBodyJson.ActionBodyJson;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads an action of a request. */
final class ActionReader {
  private static final int MAX_TEXT = 200;
  private static final int MAX_TOPIC = 255;
  private static final int MAX_PAYLOAD = 1024;
  private static final long MINUTE = 60;
  private static final long WEEK = 7 * 86_400;
  private static final long HOUR = 3600;

  private ActionReader() {}

  static AutomationAction action(String at, ActionBodyJson body) {
    ActionKind kind = Members.present(at + ".kind", body.kind());
    if (kind != ActionKind.COMMAND) {
      Members.absent(at + ".ep", body.ep());
      Members.absent(at + ".path", body.path());
      Members.absent(at + ".value", body.value());
      Members.absent(at + ".expiresSeconds", body.expiresSeconds());
    }
    if (kind != ActionKind.MQTT) {
      Members.absent(at + ".topic", body.topic());
      Members.absent(at + ".payload", body.payload());
    }
    if (kind != ActionKind.WEBHOOK) {
      Members.absent(at + ".text", body.text());
    }
    return switch (kind) {
      case COMMAND -> command(at, body);
      case WEBHOOK -> webhook(at, body);
      case MQTT -> message(at, body);
    };
  }

  private static AutomationAction command(String at, ActionBodyJson body) {
    Members.absent(at + ".destination", body.destination());
    String path = ConditionReader.path(at + ".path", body.path());
    Members.require(
        !path.startsWith("."), at + ".path", "is not a resource that an automation may command");
    return new AutomationAction(
        ActionKind.COMMAND,
        Members.name(at + ".ep", Members.present(at + ".ep", body.ep())),
        path,
        value(at + ".value", body.value()),
        Members.within(at + ".expiresSeconds", body.expiresSeconds(), MINUTE, WEEK, HOUR),
        null,
        null,
        null,
        null);
  }

  private static Object value(String member, @Nullable Object given) {
    return switch (given) {
      case Boolean bool -> bool;
      case Number number -> {
        Members.require(Double.isFinite(number.doubleValue()), member, "is not a finite number");
        yield number;
      }
      case String text -> Members.line(member, text, MAX_TEXT);
      case null -> throw Members.refused(member, "is missing");
      default -> throw Members.refused(member, "takes a number, a boolean or a text");
    };
  }

  private static AutomationAction webhook(String at, ActionBodyJson body) {
    String text = body.text();
    return new AutomationAction(
        ActionKind.WEBHOOK,
        null,
        null,
        null,
        null,
        destination(at, body),
        null,
        null,
        text == null || text.isBlank() ? null : Members.line(at + ".text", text, MAX_TEXT));
  }

  private static AutomationAction message(String at, ActionBodyJson body) {
    String topic =
        Members.line(at + ".topic", Members.present(at + ".topic", body.topic()), MAX_TOPIC);
    Members.require(
        topic.indexOf('+') < 0 && topic.indexOf('#') < 0, at + ".topic", "holds a wildcard");
    Members.require(!topic.startsWith("$"), at + ".topic", "belongs to the broker");
    String payload = body.payload() == null ? "" : body.payload();
    Members.require(
        payload.getBytes(StandardCharsets.UTF_8).length <= MAX_PAYLOAD,
        at + ".payload",
        "has more than " + MAX_PAYLOAD + " octets");
    return new AutomationAction(
        ActionKind.MQTT, null, null, null, null, destination(at, body), topic, payload, null);
  }

  private static String destination(String at, ActionBodyJson body) {
    String member = at + ".destination";
    return Members.line(member, Members.present(member, body.destination()), MAX_TEXT);
  }
}
