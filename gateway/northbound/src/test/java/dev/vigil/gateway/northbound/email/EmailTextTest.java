package dev.vigil.gateway.northbound.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.Language;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmailTextTest {
  private static final EmailText ENGLISH = new EmailText(Language.EN);
  private static final EmailText GERMAN = new EmailText(Language.DE);

  private static AlarmNotice notice(String state, String text) {
    return notice(state, text, 2);
  }

  private static AlarmNotice notice(String state, String text, int count) {
    return new AlarmNotice(
        "a1",
        "lab",
        "mote-1",
        "critical",
        state,
        text,
        "auf Deutsch: " + text,
        "https://gateway.example/#/endpoints/7",
        count,
        Instant.ofEpochSecond(1_700_000_000, 123_456_789),
        "{}");
  }

  @Test
  void aMessageNamesAlarmEndpointAndTime() {
    List<AlarmNotice> one = List.of(notice("active", "mote-1 is missing"));
    assertThat(ENGLISH.subject(one)).isEqualTo("[Vigil] critical: mote-1 is missing");
    assertThat(ENGLISH.body(one))
        .contains("endpoint mote-1\n", "domain lab\n")
        .contains("since 2023-11-14 22:13:20 UTC, raised 2 times\n")
        .contains("https://gateway.example/#/endpoints/7\n");
    assertThat(ENGLISH.body(List.of(notice("active", "x", 1)))).contains("22:13:20 UTC\n");
    assertThat(ENGLISH.subject(List.of(notice("cleared", "x"), notice("active", "y"))))
        .isEqualTo("[Vigil] 2 alarms: cleared: x");
  }

  @Test
  void aGermanReaderGetsAGermanMessage() {
    List<AlarmNotice> one = List.of(notice("active", "x"));
    assertThat(GERMAN.subject(one)).isEqualTo("[Vigil] kritisch: auf Deutsch: x");
    assertThat(GERMAN.body(one))
        .contains("Endpunkt mote-1\n", "seit 2023-11-14 22:13:20 UTC, 2-mal ausgelöst\n");
  }

  @Test
  void anEndpointCannotAddAHeaderOrALine() {
    List<AlarmNotice> one = List.of(notice("active", "x\r\nBcc: all@example.org\u2028y"));
    assertThat(ENGLISH.subject(one)).isEqualTo("[Vigil] critical: x Bcc: all@example.org y");
    assertThat(ENGLISH.body(one)).startsWith("critical: x Bcc: all@example.org y\n  endpoint");
  }

  @Test
  void aLongTextIsCutInTheSubjectAlone() {
    List<AlarmNotice> one = List.of(notice("active", "t".repeat(500)));
    assertThat(ENGLISH.subject(one)).hasSize(120);
    assertThat(ENGLISH.body(one)).contains("t".repeat(500));
  }
}
