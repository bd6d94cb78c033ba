package dev.vigil.gateway.northbound.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.vigil.gateway.northbound.mqtt.MqttMessage;
import dev.vigil.gateway.northbound.mqtt.MqttProperties;
import dev.vigil.gateway.northbound.mqtt.MqttProperties.Form;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.store.Change;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkplugSessionTest {
  private static final Duration WAKE = Duration.ofMinutes(1);
  private static final String TOPICS = "spBv1.0/plant/";

  @TempDir private Path folder;

  private final SleepyEndpoint mote = new SleepyEndpoint("mote");
  private MirrorInMemory mirror;
  private SparkplugSession session;
  private String id;

  @BeforeEach
  void open() {
    mirror = new MirrorInMemory(folder, WAKE);
    session =
        new SparkplugSession(
            settings(), new SparkplugTopics("plant", "edge"), mirror.mirror().queries(), mirror, 7);
    id = mirror.registered(mote, "</temp>");
    session.birth(0);
  }

  private static MqttProperties settings() {
    return new MqttProperties(
        true,
        URI.create("mqtt://broker"),
        "",
        "",
        "",
        "",
        "",
        "edge",
        "plant",
        Form.SPARKPLUG_B,
        "",
        List.of(),
        false,
        false,
        "",
        "",
        List.of(),
        List.of(),
        Duration.ofHours(1));
  }

  /** The messages of the last change of the feed. */
  private List<MqttMessage> put(long seq, double value) {
    mirror.put(id, "temp", mote.update("temp", seq, value));
    return session.of(feed().getLast());
  }

  private List<Change> feed() {
    return mirror.store().page(0, 100).stream()
        .filter(change -> SparkplugSession.concerns(settings(), change))
        .toList();
  }

  private static List<String> topics(List<MqttMessage> messages) {
    return messages.stream().map(MqttMessage::topic).toList();
  }

  private static UnknownFieldSet read(MqttMessage message) throws InvalidProtocolBufferException {
    return UnknownFieldSet.parseFrom(message.payload());
  }

  private static long seq(MqttMessage message) throws InvalidProtocolBufferException {
    return read(message).getField(3).getVarintList().getFirst();
  }

  private static boolean historical(MqttMessage message) throws InvalidProtocolBufferException {
    UnknownFieldSet metric =
        UnknownFieldSet.parseFrom(read(message).getField(2).getLengthDelimitedList().getFirst());
    return metric.hasField(5);
  }

  @Test
  void aDeviceIsBornWithItsFirstValue() {
    assertThat(topics(put(2, 20))).containsExactly(TOPICS + "DBIRTH/edge/mote");
    assertThat(topics(put(3, 21))).containsExactly(TOPICS + "DDATA/edge/mote");
  }

  @Test
  void sequenceNumbersBeginAgainAfter255() throws InvalidProtocolBufferException {
    for (int i = 1; i <= 255; i++) {
      assertThat(seq(session.lost(i))).isEqualTo(i);
    }
    assertThat(seq(session.lost(256))).isZero();
    assertThat(seq(session.birth(256))).isZero();
    assertThat(seq(session.lost(257))).isEqualTo(1);
    assertThat(read(session.death()).hasField(3)).isFalse();
  }

  @Test
  void aValueOlderThanThePresentOneIsHistorical() throws InvalidProtocolBufferException {
    mirror.put(id, "temp", mote.update("temp", 2, 20));
    Change older = feed().getLast();
    mirror.put(id, "temp", mote.update("temp", 3, 21));
    Change present = feed().getLast();
    List<MqttMessage> messages = session.of(older);
    assertThat(topics(messages))
        .containsExactly(TOPICS + "DBIRTH/edge/mote", TOPICS + "DDATA/edge/mote");
    assertThat(historical(messages.getFirst())).isFalse();
    assertThat(historical(messages.getLast())).isTrue();
    assertThat(session.of(present)).as("the birth certificate had it").isEmpty();
  }

  @Test
  void aRebirthBearsEveryPresentDevice() {
    put(2, 20);
    session.birth(0);
    assertThat(topics(session.births().toList())).containsExactly(TOPICS + "DBIRTH/edge/mote");
    mirror.forward(WAKE.multipliedBy(100));
    session.birth(0);
    assertThat(session.births()).as("it is missing").isEmpty();
  }

  @Test
  void aMissingDeviceDiesAndItsNextValueBearsItAgain() {
    put(2, 20);
    assertThat(session.deaths()).isEmpty();
    mirror.forward(WAKE.multipliedBy(100));
    assertThat(topics(session.deaths())).containsExactly(TOPICS + "DDEATH/edge/mote");
    assertThat(session.deaths()).isEmpty();
    assertThat(topics(put(3, 21))).containsExactly(TOPICS + "DBIRTH/edge/mote");
  }

  @Test
  void anotherKindOfValueNeedsAnotherBirth() {
    put(2, 20);
    mirror.put(id, "temp", mote.text("temp", 3, "broken"));
    assertThat(topics(session.of(feed().getLast()))).containsExactly(TOPICS + "DBIRTH/edge/mote");
  }
}
