package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventBacklogTest {
  private final EventBacklog backlog = new EventBacklog(3);

  @Test
  void keepsTheNewestChangeOfEachEndpointInFeedOrder() {
    backlog.add(new EventBacklog.Changed("a", "", 1));
    backlog.add(new EventBacklog.Changed("b", "", 2));
    backlog.add(new EventBacklog.Changed("a", "", 3));
    assertThat(backlog.poll()).isEqualTo(new EventBacklog.Changed("b", "", 2));
    assertThat(backlog.poll()).isEqualTo(new EventBacklog.Changed("a", "", 3));
    assertThat(backlog.poll()).isNull();
  }

  @Test
  void aSlowReaderGetsAMissedEventAndContinuesAfterIt() {
    for (int i = 1; i <= 4; i++) {
      backlog.add(new EventBacklog.Changed("e" + i, "", i));
    }
    backlog.add(new EventBacklog.Changed("e1", "", 5));
    assertThat(backlog.poll()).isEqualTo(new EventBacklog.Missed(4));
    assertThat(backlog.poll()).isEqualTo(new EventBacklog.Changed("e1", "", 5));
    assertThat(backlog.poll()).isNull();
  }
}
