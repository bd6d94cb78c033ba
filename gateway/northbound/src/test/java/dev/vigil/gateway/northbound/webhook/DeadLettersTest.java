package dev.vigil.gateway.northbound.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLettersTest {
  private static final String TYPE = "dev.vigil.value";

  /** The longest path of a resource. */
  private static final String PATH = "a".repeat(255);

  private final DeadLetters letters =
      new DeadLetters(new Records(new MemoryStore(), new SettableClock()));

  @Test
  void anEventOfTheLongestPathIsKeptOnce() throws IOException {
    CloudEvent event = new CloudEvent("1." + PATH, TYPE, "{}");
    letters.keep("hook", event);
    letters.keep("hook", event);
    letters.keep("hook", new CloudEvent("2." + PATH, TYPE, "{}"));
    List<Versioned<DeadLetter>> kept = letters.of("hook");
    assertThat(kept)
        .extracting(Versioned::value)
        .containsExactly(
            new DeadLetter("hook", "1." + PATH, TYPE, "{}"),
            new DeadLetter("hook", "2." + PATH, TYPE, "{}"));
    assertThat(letters.get("hook", kept.getFirst().id())).contains(kept.getFirst());
  }

  @Test
  void anEventKeepsItsReadableId() throws IOException {
    letters.keep("hook", new CloudEvent("1.air/temp", TYPE, "{}"));
    assertThat(letters.of("hook")).extracting(Versioned::id).containsExactly("hook.1.air~temp");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "\u0001"})
  void anEventThatIsTooLongWhenEscapedIsKeptWithoutItsBody(String escaped) throws IOException {
    letters.keep("hook", new CloudEvent("1.temp", TYPE, escaped.repeat(48 << 10)));
    assertThat(letters.of("hook"))
        .extracting(Versioned::value)
        .containsExactly(new DeadLetter("hook", "1.temp", TYPE, ""));
  }

  @Test
  void anEventThatFitsIntoARecordIsKeptWhole() throws IOException {
    String body = "a".repeat(48 << 10);
    letters.keep("hook", new CloudEvent("1.temp", TYPE, body));
    assertThat(letters.of("hook"))
        .extracting(Versioned::value)
        .containsExactly(new DeadLetter("hook", "1.temp", TYPE, body));
  }
}
