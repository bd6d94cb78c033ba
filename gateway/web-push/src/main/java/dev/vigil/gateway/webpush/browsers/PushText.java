package dev.vigil.gateway.webpush.browsers;

import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.Language;
import dev.vigil.signed.json.JsonWriter;
import java.nio.charset.StandardCharsets;

/**
 * The content of a notification, in the form that the page's service worker reads.
 *
 * @param title of the notification
 * @param body its text
 * @param tag a later notification with the same tag replaces it
 * @param page of the gateway, after the {@code #}
 */
record PushText(String title, String body, String tag, String page) {
  /** A character has up to six octets in JSON, so that the whole message fits. */
  private static final int MAX_BODY = 500;

  static PushText of(AlarmNotice notice, Language language) {
    String link = notice.link();
    String heading = language.heading(notice.severity(), notice.state());
    String text = language.word(notice.text(), notice.german());
    String page = link == null ? "/alarms" : link.substring(link.indexOf('#') + 1);
    return new PushText(
        "Vigil: " + heading,
        text.substring(0, Math.min(MAX_BODY, text.length())),
        notice.id(),
        page);
  }

  static PushText test(Language language) {
    return new PushText(
        language.word("Vigil: test", "Vigil: Test"),
        language.word(
            "This browser gets notifications of alarms.",
            "Dieser Browser bekommt Benachrichtigungen über Alarme."),
        "test",
        "/alarms");
  }

  byte[] json() {
    return new JsonWriter()
        .open('{')
        .member("title", title)
        .member("body", body)
        .member("tag", tag)
        .member("page", page)
        .close('}')
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }
}
