package dev.vigil.gateway.northbound.mqtt;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.northbound.events.CloudEvents;
import dev.vigil.gateway.northbound.messages.TopicSink;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Change;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A broker. Each connection begins with a clean session. Unacknowledged messages of the previous
 * connection are published again from the cursor, in order.
 */
final class MqttDestination implements Destination, TopicSink {
  private static final String ONLINE = "online";
  private static final String OFFLINE = "offline";

  private final MqttProperties settings;
  private final MqttConnection connection;
  private final MqttTopics topics;
  private final MqttMessages messages;
  private final MqttCommands commands;
  private final Optional<MqttSwitches> switches;

  MqttDestination(
      MqttProperties settings,
      MqttConnection connection,
      MqttTopics topics,
      MqttMessages messages,
      MqttCommands commands,
      Optional<MqttSwitches> switches) {
    this.settings = settings;
    this.connection = connection;
    this.topics = topics;
    this.messages = messages;
    this.commands = commands;
    this.switches = switches;
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
    return messages.concerns(change);
  }

  @Override
  public int readings(Change change) {
    return messages.readings(change);
  }

  @Override
  public boolean connect() throws IOException, InterruptedException {
    if (!connection.isMissing()) {
      switches.ifPresent(MqttSwitches::sendAll);
      return false;
    }
    connection.connect(MqttMessage.state(topics.status(), OFFLINE));
    try {
      if (settings.commands()) {
        connection.subscribe(topics.commandFilter(), commands::receive);
      }
      if (switches.isPresent()) {
        connection.subscribe(topics.switchFilter(), switches.get()::receive);
      }
      connection.require(connection.publish(MqttMessage.state(topics.status(), ONLINE)));
    } catch (IOException e) {
      connection.disconnect();
      throw e;
    }
    messages.connected();
    return true;
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException {
    List<List<CompletableFuture<Mqtt5PublishResult>>> sent = new ArrayList<>();
    for (Change change : changes) {
      List<CompletableFuture<Mqtt5PublishResult>> published = new ArrayList<>();
      for (MqttMessage message : messages.of(change)) {
        published.add(connection.publish(message));
      }
      sent.add(published);
    }
    for (int i = 0; i < sent.size(); i++) {
      for (CompletableFuture<Mqtt5PublishResult> one : sent.get(i)) {
        connection.require(one);
      }
      delivered.accept(changes.get(i));
    }
  }

  @Override
  public void reportLost(long number) throws IOException, InterruptedException {
    byte[] json = new JsonWriter().open('{').member("readings", number).close('}').toOctets();
    connection.require(connection.publish(MqttMessage.json(topics.lost(), json, false)));
  }

  @Override
  public boolean includes(String domain) {
    return settings.includes(domain);
  }

  /** The topics of the gateway and of its discovery: receivers trust what they carry. */
  @Override
  public boolean reserves(String topic) {
    return isAt(settings.prefix(), topic)
        || !settings.discovery().isEmpty() && isAt(settings.discovery(), topic);
  }

  private static boolean isAt(String level, String topic) {
    return topic.equals(level) || topic.startsWith(level + "/");
  }

  /** Uses the connection of the deliveries, because a second one would end it. */
  @Override
  public void publish(String topic, String payload) throws IOException, InterruptedException {
    byte[] octets = payload.getBytes(StandardCharsets.UTF_8);
    connection.require(connection.publish(new MqttMessage(topic, octets, false, null, 0)));
  }

  /** Uses the connection of the deliveries, because a second one would end it. */
  @Override
  public Optional<Probe> probe() {
    return Optional.of(
        at -> {
          byte[] json = CloudEvents.test(name(), at).json().getBytes(StandardCharsets.UTF_8);
          connection.require(connection.publish(MqttMessage.json(topics.test(), json, false)));
          return new Probe.Answer(true, "the broker acknowledged a message to " + topics.test());
        });
  }

  @Override
  public void close() {
    connection.close(Optional.of(MqttMessage.state(topics.status(), OFFLINE)));
  }
}
