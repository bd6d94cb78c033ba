package dev.vigil.gateway.northbound.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.gateway.northbound.events.EventFilter;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.store.Change;
import dev.vigil.store.contract.StoreTesting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests against an unmodified broker, by default over TLS with a password. */
class KafkaDestinationTest {
  private static final int READINGS = 40;
  private static final int ATTEMPTS = 60;

  @TempDir static Path shared = Path.of("");
  private static KafkaBroker broker;

  @TempDir Path folder = Path.of("");

  private final String topic = "t-" + UUID.randomUUID();
  private final SleepyEndpoint mote = new SleepyEndpoint("mote-1");
  private MirrorInMemory gateway;
  private String id = "";

  @BeforeEach
  void makeGateway() {
    gateway = new MirrorInMemory(folder, Duration.ofSeconds(10));
  }

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new KafkaBroker(shared);
    broker.start();
  }

  @AfterAll
  static void stopBroker() throws InterruptedException {
    broker.kill();
  }

  /** Changes with the numbers from first to last, each with one value. */
  private List<Change> readings(int first, int last) {
    if (id.isEmpty()) {
      id = gateway.registered(mote, "</temp>;rt=\"t\"");
    }
    long position = gateway.mirror().queries().position();
    for (int seq = first; seq <= last; seq++) {
      gateway.put(id, "temp", mote.update("temp", seq, seq));
    }
    return StoreTesting.feed(gateway.store(), position).stream()
        .filter(change -> !change.endpoint().isReserved())
        .toList();
  }

  private KafkaProperties settings(String password) throws IOException {
    Path file = folder.resolve("password");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, password);
    return new KafkaProperties(
        List.of(broker.secured()),
        topic,
        true,
        broker.authority().toString(),
        KafkaBroker.USER,
        file.toString(),
        KafkaProperties.Mechanism.SCRAM_SHA_512,
        List.of(EventFilter.Kind.VALUE),
        List.of(),
        false);
  }

  private KafkaDestination destination(KafkaProperties settings) {
    return destination(settings, Duration.ofSeconds(60));
  }

  private KafkaDestination destination(KafkaProperties settings, Duration timeout) {
    return new KafkaDestination(
        "home",
        settings,
        new KafkaClient("northbound.kafka.home", settings, timeout),
        new CloudEvents(settings.filter(), gateway.mirror().queries(), new NoAlarms()),
        Clock.systemUTC());
  }

  private static final class NoAlarms implements AlarmNotices {
    @Override
    public boolean concerns(Change change) {
      return false;
    }

    @Override
    public List<AlarmNotice> of(Change change) {
      return List.of();
    }

    @Override
    public @Nullable String link(@Nullable String endpoint) {
      return null;
    }
  }

  /** Repeats failed deliveries, like the delivery loop, while the broker starts. */
  private static void deliver(KafkaDestination destination, List<Change> changes, List<Change> done)
      throws InterruptedException {
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        destination.connect();
        destination.deliver(changes.subList(done.size(), changes.size()), done::add);
        return;
      } catch (IOException e) {
        last = e;
      }
    }
    throw new AssertionError("the broker took nothing", last);
  }

  /** Returns at least the requested number of records from the topic. */
  private List<ConsumerRecord<String, String>> received(int number) {
    Map<String, Object> client =
        Map.of("bootstrap.servers", broker.open(), "auto.offset.reset", "earliest");
    List<ConsumerRecord<String, String>> all = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(
          consumer.partitionsFor(topic).stream()
              .map(one -> new TopicPartition(one.topic(), one.partition()))
              .toList());
      for (int polls = 0; all.size() < number && polls < 2 * ATTEMPTS; polls++) {
        consumer.poll(Duration.ofSeconds(1)).forEach(all::add);
      }
    }
    return all;
  }

  private static List<String> ids(List<ConsumerRecord<String, String>> records) {
    return records.stream()
        .map(one -> one.value().replaceAll(".*\"id\":\"([^\"]+)\".*", "$1"))
        .toList();
  }

  private static List<String> ids(Iterable<Change> changes) {
    List<String> all = new ArrayList<>();
    changes.forEach(change -> all.add(change.position() + ".temp"));
    return all;
  }

  @Test
  void valuesArriveInOrderAsSignedCloudEvents() throws Exception {
    List<Change> changes = readings(2, READINGS);
    List<Change> done = new ArrayList<>();
    try (KafkaDestination destination = destination(settings(KafkaBroker.PASSWORD))) {
      deliver(destination, changes, done);
    }
    assertThat(done).isEqualTo(changes);

    List<ConsumerRecord<String, String>> records = received(changes.size());
    assertThat(ids(records).stream().distinct().toList())
        .as("an answer that comes too late causes a repetition")
        .isEqualTo(ids((Iterable<Change>) changes));
    assertThat(records)
        .allSatisfy(
            one -> {
              assertThat(one.key()).isEqualTo(id);
              assertThat(one.headers().lastHeader("content-type").value())
                  .asString(StandardCharsets.US_ASCII)
                  .isEqualTo("application/cloudevents+json; charset=UTF-8");
              assertThat(one.value())
                  .contains("\"type\":\"dev.vigil.value\"", "\"ep\":\"mote-1\"", "\"jws\":\"ey");
            });
  }

  @Test
  void aTestReachesTheTopicOrSaysWhyNot() throws Exception {
    try (KafkaDestination destination = destination(settings(KafkaBroker.PASSWORD))) {
      Probe.Answer answer = destination.probe().orElseThrow().send(Instant.EPOCH);
      assertThat(answer.text()).startsWith("the brokers acknowledged " + topic);
      assertThat(answer.accepted()).isTrue();
    }
    assertThat(received(1).getFirst().value()).contains("\"type\":\"dev.vigil.test\"");
    try (KafkaDestination destination = destination(settings("wrong"))) {
      assertThat(destination.probe().orElseThrow().send(Instant.EPOCH).accepted()).isFalse();
    }
  }

  @Test
  void aBrokerThatIsKilledMissesNothing() throws Exception {
    List<Change> before = readings(2, READINGS);
    List<Change> after = readings(READINGS + 1, 2 * READINGS);
    List<Change> done = new ArrayList<>();
    try (KafkaDestination destination =
        destination(settings(KafkaBroker.PASSWORD), Duration.ofSeconds(3))) {
      deliver(destination, before, done);
      broker.kill();
      assertThatThrownBy(() -> destination.deliver(after, done::add))
          .isInstanceOf(IOException.class);
      assertThat(done).isEqualTo(before);
      broker.start();
      List<Change> later = new ArrayList<>();
      deliver(destination, after, later);
      assertThat(later).isEqualTo(after);
    }
    List<Change> all = new ArrayList<>(before);
    all.addAll(after);
    assertThat(ids(received(all.size())).stream().distinct().toList())
        .isEqualTo(ids((Iterable<Change>) all));
  }

  @Test
  void anEventThatTheTopicRefusesDoesNotBlockTheNext() throws Exception {
    int limit = 200;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.open()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, 1, (short) 1)
                      .configs(Map.of("max.message.bytes", Integer.toString(limit)))))
          .all()
          .get();
    }
    List<Change> changes = readings(2, 4);
    List<Change> done = new ArrayList<>();
    try (KafkaDestination destination = destination(settings(KafkaBroker.PASSWORD))) {
      deliver(destination, changes, done);
      assertThat(destination.refused()).isEqualTo(changes.size());
    }
    assertThat(done).isEqualTo(changes);
  }

  @Test
  void aWrongPasswordIsReportedAndNotShown() throws Exception {
    readings(2, 3);
    try (KafkaDestination destination = destination(settings("not the password"))) {
      assertThatThrownBy(destination::connect)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("uthentication failed")
          .hasMessageNotContaining("not the password");
    }
  }
}
