package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.network.SampledThing.Key;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events between samples, and events after a client was away. */
class SampleLogTest {
  private final SampleLog log = new SampleLog(Set.of("list"));

  private static SampledThing thing(String id, String state, int figures) {
    return new SampledThing(new Key("node", id), "", state, figures, state + figures, "left " + id);
  }

  private static final SampledThing LIST =
      new SampledThing(new Key("list", ""), "", "", "", "read again", null);

  private static List<String> texts(List<FeatureEvent> events) {
    return events.stream().map(event -> event.name() + " " + event.data()).toList();
  }

  private List<String> sample(long position, long seconds, SampledThing... things) {
    return texts(log.observe(List.of(things), position, 1000 * seconds));
  }

  @Test
  void aChangedStateIsPublishedAtOnceAndFiguresLater() {
    assertThat(sample(5, 0, thing("a", "up", 1))).containsExactly("node up1");
    assertThat(sample(6, 1, thing("a", "up", 2))).isEmpty();
    assertThat(sample(6, 2, thing("a", "down", 3))).containsExactly("node down3");
    assertThat(sample(6, 11, thing("a", "down", 4))).isEmpty();
    assertThat(sample(6, 12, thing("a", "down", 5))).containsExactly("node down5");
    assertThat(sample(6, 30, thing("a", "down", 5))).isEmpty();
  }

  @Test
  void figuresArePublishedAgainAfterTheClockWasSetBack() {
    sample(5, 1_000, thing("a", "up", 1));
    assertThat(sample(5, 10, thing("a", "up", 2))).containsExactly("node up2");
  }

  @Test
  void aRemovedThingIsReportedOnceAndMayComeBack() {
    sample(5, 0, thing("a", "up", 1));
    assertThat(sample(6, 1)).containsExactly("node-gone left a");
    assertThat(sample(6, 2)).isEmpty();
    assertThat(texts(log.since(6))).containsExactly("node-gone left a");
    assertThat(sample(7, 3, thing("a", "up", 1))).containsExactly("node up1");
    assertThat(texts(log.since(5))).containsExactly("node up1");
  }

  @Test
  void aClientThatResumesGetsLaterChanges() {
    sample(5, 0, LIST, thing("a", "up", 1), thing("b", "up", 1));
    sample(9, 1, LIST, thing("a", "up", 1), thing("b", "down", 1));
    assertThat(texts(log.since(9))).containsExactly("node down1");
    assertThat(log.since(10)).isEmpty();
    assertThat(log.since(9)).noneMatch(FeatureEvent::stored);
  }

  @Test
  void changesOfTheFeedThatOvertakeASampleLoseNothing() {
    sample(5, 0, thing("a", "up", 1));
    log.sent(8);
    assertThat(texts(log.since(8))).as("sent before the sample's event").hasSize(1);
    sample(8, 1);
    log.sent(11);
    assertThat(texts(log.since(11))).containsExactly("node-gone left a");
  }

  @Test
  void afterAStartTheFirstEventSaysToReadAllAgain() {
    sample(100, 0, thing("a", "up", 1), LIST);
    sample(120, 1, thing("a", "down", 1), LIST);
    assertThat(texts(log.since(99))).containsExactly("list read again", "node down1");
    assertThat(texts(log.since(101))).containsExactly("node down1");
  }

  @Test
  void forgottenDeparturesMakeClientsReadAllAgain() {
    SampledThing[] many =
        IntStream.rangeClosed(0, SampleLog.MAX_GONE)
            .mapToObj(i -> thing("n" + i, "up", 1))
            .toArray(SampledThing[]::new);
    sample(5, 0, many);
    assertThat(sample(20, 1, LIST)).hasSize(SampleLog.MAX_GONE + 2);
    assertThat(texts(log.since(20)).getFirst()).isEqualTo("list read again");
    assertThat(log.since(21)).isEmpty();
  }
}
