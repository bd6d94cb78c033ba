package dev.vigil.gateway.northbound.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.AlarmSeverity;
import dev.vigil.gateway.northbound.Language;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Alarms for a server that refuses messages with the word "virus". */
class EmailDestinationTest {
  private final List<Long> delivered = new ArrayList<>();
  private @Nullable MailServer server;
  private @Nullable EmailDestination destination;

  /** The name of a change's endpoint has the texts of its alarms, with commas between them. */
  private static final class NoticesOfNames implements AlarmNotices {
    @Override
    public boolean concerns(Change change) {
      return true;
    }

    @Override
    public List<AlarmNotice> of(Change change) {
      return Stream.of(change.endpoint().ep().split(",", -1))
          .map(text -> notice(text, change.at()))
          .toList();
    }

    private static AlarmNotice notice(String text, Instant at) {
      return new AlarmNotice(text, "", text, "critical", "active", text, text, null, 1, at, "{}");
    }

    @Override
    public @Nullable String link(@Nullable String endpoint) {
      return null;
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = new MailServer("virus");
    EmailProperties settings =
        new EmailProperties(
            URI.create("smtp://localhost:" + server.port()),
            false,
            "",
            "",
            "",
            "vigil@example.org",
            List.of("ops@example.org"),
            Language.EN,
            AlarmSeverity.WARNING,
            List.of());
    destination =
        new EmailDestination(
            "ops",
            settings,
            new SmtpClient("northbound.email.ops", settings),
            new NoticesOfNames());
  }

  @AfterEach
  void stop() throws IOException {
    server().close();
  }

  private MailServer server() {
    return Objects.requireNonNull(server);
  }

  private EmailDestination destination() {
    return Objects.requireNonNull(destination);
  }

  private static Change alarms(long position, String texts) {
    Instant at = Instant.ofEpochSecond(1_700_000_000);
    return new Change(position, "1", new EndpointName(texts, ""), at, 0, position, List.of());
  }

  private void deliver(Change... changes) throws IOException {
    destination().deliver(List.of(changes), change -> delivered.add(change.position()));
  }

  private void assertTaken(String... texts) {
    assertThat(server().taken).hasSize(texts.length);
    for (int i = 0; i < texts.length; i++) {
      assertThat(server().taken.get(i))
          .containsOnlyOnce("endpoint ")
          .contains("endpoint " + texts[i]);
    }
  }

  @Test
  void aRefusedMessageBlocksNoOtherAlarm() throws IOException {
    deliver(alarms(1, "door"), alarms(2, "virus"), alarms(3, "window"));
    assertThat(delivered).containsExactly(1L, 2L, 3L);
    assertTaken("door", "window");
    assertThat(destination().refused()).isEqualTo(1);
  }

  @Test
  void aRefusedMessageBlocksNoAlarmOfTheSameChange() throws IOException {
    deliver(alarms(1, "door,virus,window,virus2"));
    assertThat(delivered).containsExactly(1L);
    assertTaken("door", "window");
    assertThat(destination().refused()).isEqualTo(2);
  }

  @Test
  void aRepetitionContinuesWithTheAlarmThatFailed() throws IOException {
    server().room = 1;
    assertThatThrownBy(() -> deliver(alarms(1, "door,virus,window")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("full");
    assertThat(delivered).isEmpty();
    server().room = 2;
    deliver(alarms(1, "door,virus,window"));
    assertThat(delivered).containsExactly(1L);
    assertTaken("door", "window");
    assertThat(destination().refused()).isEqualTo(1);
  }

  @Test
  void severalAlarmsShareAMessageThatTheServerTakes() throws IOException {
    deliver(alarms(1, "door"), alarms(2, "window"));
    assertThat(server().taken).hasSize(1);
    assertThat(destination().refused()).isZero();
  }

  @Test
  void alarmsWaitWhileTheServerRefusesTheSender() throws IOException {
    server().sender = "550 5.7.1 no mail from you";
    assertThatThrownBy(() -> deliver(alarms(1, "door")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no mail from you");
    assertThat(delivered).isEmpty();
    server().sender = "250 ok";
    deliver(alarms(1, "door"));
    assertThat(delivered).containsExactly(1L);
    assertThat(destination().refused()).isZero();
  }
}
