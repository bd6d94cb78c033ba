package dev.vigil.gateway.store.jetstream.messages;

import static dev.vigil.store.contract.StoreTesting.mote;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.EndpointName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SubjectsTest {
  private final Subjects subjects = new Subjects("VIGIL");

  @Test
  void plainNamesStayReadable() {
    assertThat(subjects.of(mote("mote-1"))).isEqualTo("VIGIL.e.=.mote-1");
    assertThat(subjects.of(new EndpointName("mote_1", "plant"))).isEqualTo("VIGIL.e.plant.mote_1");
    assertThat(subjects.of(mote(".records/a"))).isEqualTo("VIGIL.e.=.=2Erecords=2Fa");
  }

  @Test
  void everyNameIsALegalTokenOfItsOwn() {
    List<String> texts =
        List.of(
            "a",
            "A",
            "a.b",
            "a b",
            "*",
            ">",
            "=",
            "==",
            "=2E",
            ".",
            "..",
            "ä",
            "\u0000",
            "日本",
            "x".repeat(240),
            "x".repeat(241),
            "x".repeat(5000),
            "é".repeat(200),
            "é".repeat(201));
    Set<String> found = new HashSet<>();
    for (String ep : texts) {
      for (String d : texts) {
        String subject = subjects.of(new EndpointName(ep, d));
        assertThat(subject).matches("VIGIL\\.e\\.[A-Za-z0-9=_-]{1,240}\\.[A-Za-z0-9=_-]{1,240}");
        assertThat(found.add(subject)).as(subject).isTrue();
      }
      assertThat(found.add(subjects.of(mote(ep)))).isTrue();
    }
  }
}
