package dev.vigil.gateway.northbound.email;

import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.Language;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Subject and text of a message about alarms.
 *
 * @param language of the reader
 */
record EmailText(Language language) {
  private static final int MAX_SUBJECT = 120;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  String subject(List<AlarmNotice> notices) {
    AlarmNotice first = notices.getFirst();
    String line = heading(first) + ": " + text(first);
    String plain =
        plain(
            notices.size() == 1
                ? "[Vigil] " + line
                : "[Vigil] %d %s: %s".formatted(notices.size(), word("alarms", "Alarme"), line));
    return plain.substring(0, Math.min(MAX_SUBJECT, plain.length()));
  }

  String testSubject() {
    return "[Vigil] " + word("test", "Test");
  }

  String testBody() {
    return word(
        "This is a test. Vigil can deliver alarms to this address.\n",
        "Dies ist ein Test. Vigil kann Alarme an diese Adresse senden.\n");
  }

  String body(List<AlarmNotice> notices) {
    StringBuilder body = new StringBuilder();
    for (AlarmNotice notice : notices) {
      body.append(heading(notice)).append(": ").append(plain(text(notice))).append('\n');
      String ep = notice.ep();
      String d = notice.d();
      if (ep != null) {
        body.append("  ").append(word("endpoint ", "Endpunkt ")).append(plain(ep)).append('\n');
      }
      if (d != null && !d.isEmpty()) {
        body.append("  ").append(word("domain ", "Domäne ")).append(plain(d)).append('\n');
      }
      body.append("  ").append(since(notice.raisedAt(), notice.count())).append('\n');
      String link = notice.link();
      if (link != null) {
        body.append("  ").append(plain(link)).append('\n');
      }
      body.append('\n');
    }
    return body.toString();
  }

  private String since(Instant raisedAt, int count) {
    String since = word("since ", "seit ") + TIME.format(raisedAt);
    return count == 1
        ? since
        : since + word(", raised %d times", ", %d-mal ausgelöst").formatted(count);
  }

  private String text(AlarmNotice notice) {
    return word(notice.text(), notice.german());
  }

  private String heading(AlarmNotice notice) {
    return language.heading(notice.severity(), notice.state());
  }

  private String word(String english, String german) {
    return language.word(english, german);
  }

  /**
   * Removes line breaks, because endpoints choose a part of the text and a line break would begin
   * another header.
   */
  private static String plain(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ");
  }
}
