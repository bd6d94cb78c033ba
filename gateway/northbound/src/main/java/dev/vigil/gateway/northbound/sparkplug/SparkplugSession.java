package dev.vigil.gateway.northbound.sparkplug;

import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.gateway.northbound.mqtt.MqttMessage;
import dev.vigil.gateway.northbound.mqtt.MqttProperties;
import dev.vigil.gateway.northbound.sparkplug.SparkplugMetric.Value;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.read.Presence;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The messages of an edge node on one connection. Used by the destination's thread.
 *
 * <p>The node is unborn until {@link #birth}, which restarts its sequence numbers and forgets all
 * devices. A device is unborn until {@link #births} or {@link #of} publishes its birth. It becomes
 * unborn again when its endpoint withdraws, is no longer trusted, or is missing. Each message of an
 * unborn device begins with its birth certificate (Sparkplug 3.0 section 5).
 */
final class SparkplugSession {
  static final String REBIRTH = "Node Control/Rebirth";
  static final String BIRTH_DEATH_SEQUENCE = "bdSeq";
  static final String LOST = "Lost Readings";
  static final int NUMBERS = 256;

  /** The maximum number of metrics of a device that are kept although a later value lacks them. */
  private static final int MAX_METRICS = 256;

  private static final long SETTLING_MILLIS = 10_000;

  private final MqttProperties settings;
  private final SparkplugTopics topics;
  private final MirrorQueries mirror;
  private final Clock clock;
  private final int birthDeathSequence;
  private final Map<String, Device> devices = new HashMap<>();
  private int next;

  /**
   * @param birthDeathSequence number of the connection, 0 to 255
   */
  SparkplugSession(
      MqttProperties settings,
      SparkplugTopics topics,
      MirrorQueries mirror,
      Clock clock,
      int birthDeathSequence) {
    this.settings = settings;
    this.topics = topics;
    this.mirror = mirror;
    this.clock = clock;
    this.birthDeathSequence = birthDeathSequence;
  }

  /** The state of a device since its birth certificate. */
  private static final class Device {
    private final EndpointName name;

    /** The newest metrics by name; the birth certificate announced them all. */
    private final Map<String, SparkplugMetric> metrics = new LinkedHashMap<>();

    /** The sequence number of the newest value of each path that the receiver has. */
    private final Map<String, Long> newest = new HashMap<>();

    private long touchedAt;

    Device(EndpointName name) {
      this.name = name;
    }

    void add(Reading reading) {
      if (reading.seq > newest.getOrDefault(reading.path, 0L)) {
        newest.put(reading.path, reading.seq);
        reading.metrics.forEach(metric -> metrics.put(metric.name(), metric));
      }
    }

    boolean announces(Reading reading) {
      return reading.metrics.stream()
          .allMatch(metric -> metric.isAnnouncedBy(metrics.get(metric.name())));
    }

    /** The metrics of a reading that the receiver does not have. */
    List<SparkplugMetric> news(Reading reading) {
      long known = newest.getOrDefault(reading.path, 0L);
      return reading.seq > known
          ? reading.metrics
          : reading.metrics.stream()
              .filter(one -> !one.equals(metrics.get(one.name())))
              .map(SparkplugMetric::asHistorical)
              .toList();
    }
  }

  /** A value converted to metrics. */
  private record Reading(String path, long seq, List<SparkplugMetric> metrics) {}

  /** The certificate that the broker publishes when the connection breaks. */
  MqttMessage death() {
    return message(
        topics.nodeDeath(), SparkplugPayload.NO_SEQ, List.of(birthDeathSequence(clock.millis())));
  }

  /**
   * The birth certificate of the node.
   *
   * @param lost readings that were lost since the start
   */
  MqttMessage birth(long lost) {
    next = 0;
    devices.clear();
    long now = clock.millis();
    return message(
        topics.nodeBirth(),
        List.of(
            birthDeathSequence(now),
            SparkplugMetric.of(REBIRTH, now, new Value.Bool(false)),
            lost(now, lost)));
  }

  private SparkplugMetric birthDeathSequence(long now) {
    return SparkplugMetric.of(BIRTH_DEATH_SEQUENCE, now, new Value.Int64(birthDeathSequence));
  }

  private static SparkplugMetric lost(long now, long number) {
    return SparkplugMetric.of(LOST, now, new Value.Int64(number));
  }

  /** Reports how many readings were lost since the start. */
  MqttMessage lost(long number) {
    return message(topics.nodeData(), List.of(lost(clock.millis(), number)));
  }

  /** Birth certificates of all present endpoints with values, created lazily. */
  Stream<MqttMessage> births() {
    return mirror.registeredIds().stream()
        .flatMap(
            id ->
                mirror
                    .presence(id)
                    .filter(one -> one.trusted() && settings.includes(one.d()) && isPresent(one))
                    .flatMap(one -> birth(id, new EndpointName(one.ep(), one.d()), List.of()))
                    .stream());
  }

  private boolean isPresent(Presence presence) {
    return !presence.isMissing(clock.millis());
  }

  /** Death certificates of devices whose endpoints are missing, or no longer registered. */
  List<MqttMessage> deaths() {
    // The mirror may apply a change after this destination receives it.
    long settled = clock.millis() - SETTLING_MILLIS;
    List<String> missing =
        devices.entrySet().stream()
            .filter(one -> one.getValue().touchedAt < settled)
            .map(Map.Entry::getKey)
            .filter(id -> mirror.presence(id).filter(this::isPresent).isEmpty())
            .toList();
    return missing.stream().flatMap(id -> death(id).stream()).toList();
  }

  private Optional<MqttMessage> death(String id) {
    return Optional.ofNullable(devices.remove(id))
        .map(device -> message(topics.deviceDeath(device.name), List.of()));
  }

  static boolean concerns(MqttProperties settings, Change change) {
    return !change.endpoint().isReserved()
        && settings.includes(change.endpoint().d())
        && change.facts().stream().anyMatch(fact -> ValueFacts.isValue(fact) || isAboutLife(fact));
  }

  private static boolean isAboutLife(Fact fact) {
    return fact.slot().equals(StoreSlots.LEASE) || fact.slot().equals(StoreSlots.KEY);
  }

  /** Converts a change of the feed into messages. */
  List<MqttMessage> of(Change change) {
    boolean distrusted = mirror.presence(change.id()).filter(one -> !one.trusted()).isPresent();
    if (distrusted || change.facts().stream().anyMatch(ValueFacts::isEnd)) {
      return death(change.id()).stream().toList();
    }
    List<Reading> readings =
        change.facts().stream()
            .filter(ValueFacts::isValue)
            .map(fact -> reading(ValueFacts.value(change, fact)))
            .toList();
    List<MqttMessage> messages = new ArrayList<>();
    Device device = devices.get(change.id());
    if (device == null || !readings.stream().allMatch(device::announces)) {
      birth(change.id(), change.endpoint(), readings).ifPresent(messages::add);
      device = devices.get(change.id());
    }
    if (device != null) {
      device.touchedAt = clock.millis();
      List<SparkplugMetric> metrics = new ArrayList<>();
      for (Reading reading : readings) {
        metrics.addAll(device.news(reading));
        device.add(reading);
      }
      if (!metrics.isEmpty()) {
        messages.add(message(topics.deviceData(change.endpoint()), metrics));
      }
    }
    return messages;
  }

  private static Reading reading(StoredValue value) {
    return new Reading(
        value.path(),
        value.seq(),
        SparkplugMetric.of(
            value.path(), value.pack().resolve(value.arrived() / 1000.0), value.seq()));
  }

  /**
   * Creates the birth certificate of a device, or a new one with more metrics.
   *
   * @param readings readings of a change; the mirror may not have applied it, or may already know
   *     newer values
   * @return empty when there are no values
   */
  private Optional<MqttMessage> birth(String id, EndpointName name, List<Reading> readings) {
    Device device = new Device(name);
    Device before = devices.get(id);
    if (before != null && before.metrics.size() < MAX_METRICS) {
      device.metrics.putAll(before.metrics);
    }
    Stream.concat(mirror.lastValues(id).stream().map(SparkplugSession::reading), readings.stream())
        .forEach(device::add);
    // A change that is older than the present value may have metrics that the value lacks.
    readings.forEach(
        one -> one.metrics.forEach(metric -> device.metrics.putIfAbsent(metric.name(), metric)));
    if (device.metrics.isEmpty()) {
      return Optional.empty();
    }
    devices.put(id, device);
    return Optional.of(message(topics.deviceBirth(name), List.copyOf(device.metrics.values())));
  }

  private MqttMessage message(String topic, List<SparkplugMetric> metrics) {
    int seq = next;
    next = (next + 1) % NUMBERS;
    return message(topic, seq, metrics);
  }

  private MqttMessage message(String topic, int seq, List<SparkplugMetric> metrics) {
    byte[] payload = SparkplugPayload.write(clock.millis(), seq, metrics);
    return new MqttMessage(topic, payload, false, null, 0);
  }
}
