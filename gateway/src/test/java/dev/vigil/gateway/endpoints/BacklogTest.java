package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BacklogTest {
  private final Backlog backlog = new Backlog(3);

  @Test
  void theNewestOfEachEndpointIsKeptInTheOrderOfTheFeed() {
    backlog.add(new Backlog.Changed("a", "", 1));
    backlog.add(new Backlog.Changed("b", "", 2));
    backlog.add(new Backlog.Changed("a", "", 3));
    assertThat(backlog.poll()).isEqualTo(new Backlog.Changed("b", "", 2));
    assertThat(backlog.poll()).isEqualTo(new Backlog.Changed("a", "", 3));
    assertThat(backlog.poll()).isNull();
  }

  @Test
  void whoReadsTooSlowlyIsToldThatItMissedSomethingAndGoesOnFromThere() {
    for (int i = 1; i <= 4; i++) {
      backlog.add(new Backlog.Changed("e" + i, "", i));
    }
    backlog.add(new Backlog.Changed("e1", "", 5));
    assertThat(backlog.poll()).isEqualTo(new Backlog.Missed(4));
    assertThat(backlog.poll()).isEqualTo(new Backlog.Changed("e1", "", 5));
    assertThat(backlog.poll()).isNull();
  }
}
