package dev.vigil.gateway.northbound.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.northbound.AlarmNotice;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmailTextTest {
  private static AlarmNotice notice(String state, String text) {
    return new AlarmNotice(
        "a1",
        "lab",
        "mote-1",
        "critical",
        state,
        text,
        2,
        Instant.ofEpochSecond(1_700_000_000),
        "{}");
  }

  @Test
  void aMessageNamesAlarmEndpointAndTime() {
    List<AlarmNotice> one = List.of(notice("active", "mote-1 is missing"));
    assertThat(EmailText.subject(one)).isEqualTo("[Vigil] critical: mote-1 is missing");
    assertThat(EmailText.body(one))
        .contains("endpoint mote-1\n", "domain lab\n", "since 2023-11-14T22:13:20Z, raised 2 times")
        .contains("/api/alarms/a1");
    assertThat(EmailText.subject(List.of(notice("cleared", "x"), notice("active", "y"))))
        .isEqualTo("[Vigil] 2 alarms: cleared: x");
  }

  @Test
  void anEndpointCannotAddAHeaderOrALine() {
    List<AlarmNotice> one = List.of(notice("active", "x\r\nBcc: all@example.org\u2028y"));
    assertThat(EmailText.subject(one)).isEqualTo("[Vigil] critical: x Bcc: all@example.org y");
    assertThat(EmailText.body(one)).startsWith("critical: x Bcc: all@example.org y\n  endpoint");
  }

  @Test
  void aLongTextIsCutInTheSubjectAlone() {
    List<AlarmNotice> one = List.of(notice("active", "t".repeat(500)));
    assertThat(EmailText.subject(one)).hasSize(120);
    assertThat(EmailText.body(one)).contains("t".repeat(500));
  }
}
