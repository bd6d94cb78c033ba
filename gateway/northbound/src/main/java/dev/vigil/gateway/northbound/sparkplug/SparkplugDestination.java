package dev.vigil.gateway.northbound.sparkplug;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.gateway.northbound.mqtt.MqttConnection;
import dev.vigil.gateway.northbound.mqtt.MqttMessage;
import dev.vigil.gateway.northbound.mqtt.MqttProperties;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Change;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker that receives values from the gateway as an edge node of Sparkplug B. Because Sparkplug
 * prescribes QoS 0, a change counts as delivered when the broker has answered a packet after its
 * messages. Any failure ends the connection, because the receivers' sequence numbers then have a
 * gap.
 */
public final class SparkplugDestination implements Destination {
  private static final Logger log = LoggerFactory.getLogger(SparkplugDestination.class);

  /** The number of messages that are written before waiting for the broker to read them. */
  private static final int BURST = 256;

  private static final long STORE_SECONDS = 10;
  private static final long DEATHS_MILLIS = 5_000;

  private final MqttProperties settings;
  private final MqttConnection connection;
  private final SparkplugTopics topics;
  private final MirrorQueries mirror;
  private final RecordSet<BirthNumber> numbers;
  private final Clock clock;
  private final PrimaryHost host;

  private volatile @Nullable SparkplugSession session;
  private volatile boolean rebirth;

  /** Used only by the destination's thread, like the following field. */
  private long lost;

  private long deathsAt;

  SparkplugDestination(
      MqttProperties settings,
      MqttConnection connection,
      SparkplugTopics topics,
      MirrorQueries mirror,
      RecordSet<BirthNumber> numbers,
      Clock clock) {
    this.settings = settings;
    this.connection = connection;
    this.topics = topics;
    this.mirror = mirror;
    this.numbers = numbers;
    this.clock = clock;
    this.host = new PrimaryHost(settings.primaryHost());
  }

  @Override
  public String name() {
    return connection.name();
  }

  @Override
  public boolean replay() {
    return settings.replay();
  }

  @Override
  public boolean concerns(Change change) {
    return SparkplugSession.concerns(settings, change);
  }

  @Override
  public int readings(Change change) {
    return ValueFacts.count(change);
  }

  /** Called repeatedly; also publishes due certificates. */
  @Override
  public boolean connect() throws IOException, InterruptedException {
    SparkplugSession present = session;
    if (connection.isMissing() || present == null) {
      begin();
      return true;
    }
    requireHost(present);
    if (rebirth) {
      bear(present);
    } else if (clock.millis() >= deathsAt) {
      deathsAt = clock.millis() + DEATHS_MILLIS;
      send(present.deaths().stream());
    }
    return false;
  }

  private void begin() throws IOException, InterruptedException {
    SparkplugSession fresh =
        new SparkplugSession(settings, topics, mirror, clock, nextBirthNumber());
    connection.connect(fresh.death());
    try {
      connection.subscribe(topics.nodeCommand(), (_, payload, _, _) -> receive(payload));
      host.await(connection);
    } catch (IOException e) {
      connection.disconnect();
      throw e;
    }
    session = fresh;
    bear(fresh);
  }

  /**
   * Ends the node when its host is offline; values then wait in the store until the host returns.
   */
  private void requireHost(SparkplugSession node) throws IOException, InterruptedException {
    try {
      host.require();
    } catch (IOException e) {
      session = null;
      connection.require(connection.publish(node.death()));
      connection.disconnect();
      throw e;
    }
  }

  private void bear(SparkplugSession node) throws IOException, InterruptedException {
    rebirth = false;
    send(Stream.concat(Stream.of(node.birth(lost)), node.births()));
  }

  /** Stores the number before its use, so that two connections never share a number. */
  private int nextBirthNumber() throws IOException, InterruptedException {
    int next =
        numbers
            .get(name())
            .map(Versioned::value)
            .map(former -> (former.last() + 1) % SparkplugSession.NUMBERS)
            .orElse(0);
    try {
      Outcome outcome =
          numbers
              .put(name(), new BirthNumber(next), OptionalLong.empty(), Audit.UNRECORDED)
              .get(STORE_SECONDS, TimeUnit.SECONDS);
      if (outcome instanceof Outcome.Done) {
        return next;
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the store cannot write the number of the connection", e);
    }
    throw new IOException("the store cannot write the number of the connection");
  }

  /** Called on the client's thread. */
  private void receive(byte[] payload) {
    try {
      if (SparkplugPayload.isTrue(payload, SparkplugSession.REBIRTH)) {
        rebirth = true;
      }
    } catch (IOException e) {
      log.warn("{}: ignored a command that is not a Sparkplug payload", name());
    }
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException {
    SparkplugSession node = present();
    requireHost(node);
    send(changes.stream().flatMap(change -> node.of(change).stream()));
    changes.forEach(delivered);
  }

  @Override
  public void reportLost(long number) throws IOException, InterruptedException {
    lost += number;
    send(Stream.of(present().lost(lost)));
  }

  private SparkplugSession present() throws IOException {
    SparkplugSession present = session;
    if (present == null) {
      throw new IOException("not connected");
    }
    return present;
  }

  /** Publishes lazily created messages and waits until the broker has read them. */
  private void send(Stream<MqttMessage> messages) throws IOException, InterruptedException {
    Iterator<MqttMessage> all = messages.iterator();
    try {
      while (all.hasNext()) {
        List<CompletableFuture<Mqtt5PublishResult>> written = new ArrayList<>();
        while (all.hasNext() && written.size() < BURST) {
          written.add(connection.publishUnacknowledged(all.next()));
        }
        for (CompletableFuture<Mqtt5PublishResult> one : written) {
          connection.require(one);
        }
        connection.requireRead(topics.deviceCommands());
      }
    } catch (IOException | InterruptedException e) {
      session = null;
      connection.disconnect();
      throw e;
    }
  }

  @Override
  public void close() {
    connection.close(Optional.ofNullable(session).map(SparkplugSession::death));
  }
}
