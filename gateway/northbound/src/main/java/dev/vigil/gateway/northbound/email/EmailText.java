package dev.vigil.gateway.northbound.email;

import dev.vigil.gateway.northbound.AlarmNotice;
import java.util.List;
import java.util.Locale;

/** Subject and text of a message about alarms. */
final class EmailText {
  private static final int MAX_SUBJECT = 120;

  private EmailText() {}

  static String subject(List<AlarmNotice> notices) {
    AlarmNotice first = notices.getFirst();
    String line =
        notices.size() == 1
            ? "[Vigil] %s: %s".formatted(heading(first), first.text())
            : "[Vigil] %d alarms: %s: %s".formatted(notices.size(), heading(first), first.text());
    String plain = plain(line);
    return plain.substring(0, Math.min(MAX_SUBJECT, plain.length()));
  }

  static String body(List<AlarmNotice> notices) {
    StringBuilder body = new StringBuilder();
    for (AlarmNotice notice : notices) {
      body.append(heading(notice)).append(": ").append(plain(notice.text())).append('\n');
      String ep = notice.ep();
      String d = notice.d();
      if (ep != null) {
        body.append("  endpoint ").append(plain(ep)).append('\n');
      }
      if (d != null && !d.isEmpty()) {
        body.append("  domain ").append(plain(d)).append('\n');
      }
      body.append("  since ").append(notice.raisedAt()).append(", raised ");
      body.append(String.format(Locale.ROOT, "%d times", notice.count())).append('\n');
      body.append("  /api/alarms/").append(notice.id()).append("\n\n");
    }
    return body.toString();
  }

  private static String heading(AlarmNotice notice) {
    return "cleared".equals(notice.state()) ? "cleared" : notice.severity();
  }

  /** Endpoints choose a part of the text: a line break would begin another header. */
  private static String plain(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ");
  }
}
