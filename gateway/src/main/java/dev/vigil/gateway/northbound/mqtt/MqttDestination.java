package dev.vigil.gateway.northbound.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.config.MqttProperties;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Change;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker. A connection begins with a clean session: what it left unacknowledged is published
 * again from the cursor, in order.
 */
final class MqttDestination implements Destination {
  private static final Logger log = LoggerFactory.getLogger(MqttDestination.class);
  private static final String ONLINE = "online";
  private static final String OFFLINE = "offline";
  private static final long TIMEOUT_SECONDS = 20;
  private static final long ENDING_SECONDS = 1;
  private static final int KEEP_ALIVE_SECONDS = 20;

  /** Octets of a received packet, and packets received at a time, at most. */
  private static final int MAX_PACKET = 128 << 10;

  private static final int MAX_RECEIVED = 16;

  private final String name;
  private final MqttProperties settings;
  private final MqttClients clients;
  private final MqttTopics topics;
  private final MqttMessages messages;
  private final MqttCommands commands;
  private final Optional<MqttSwitches> switches;

  private volatile @Nullable Mqtt5AsyncClient client;
  private volatile boolean closed;

  MqttDestination(
      String name,
      MqttProperties settings,
      MqttClients clients,
      MqttTopics topics,
      MqttMessages messages,
      MqttCommands commands,
      Optional<MqttSwitches> switches) {
    this.name = name;
    this.settings = settings;
    this.clients = clients;
    this.topics = topics;
    this.messages = messages;
    this.commands = commands;
    this.switches = switches;
  }

  @Override
  public String name() {
    return "mqtt:" + name;
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
    Mqtt5AsyncClient present = client;
    if (closed || present != null && present.getState().isConnected()) {
      return false;
    }
    Mqtt5AsyncClient fresh = clients.create();
    client = fresh;
    InetAddress broker = InetAddress.getByName(settings.host());
    await(fresh.connect(connectMessage()));
    try {
      Caller caller =
          new Caller(
              new InetSocketAddress(broker, settings.port()),
              true,
              settings.isSecure(),
              new Caller.Broker(name));
      if (settings.commands()) {
        subscribe(fresh, topics.commandFilter(), commands::receive, caller);
      }
      if (switches.isPresent()) {
        subscribe(fresh, topics.switchFilter(), switches.get()::receive, caller);
      }
      requireAcknowledged(publish(fresh, MqttMessage.state(topics.status(), ONLINE)));
    } catch (IOException e) {
      fresh.disconnect();
      throw e;
    }
    messages.connected();
    return true;
  }

  private Mqtt5Connect connectMessage() {
    return Mqtt5Connect.builder()
        .cleanStart(true)
        .keepAlive(KEEP_ALIVE_SECONDS)
        .restrictions()
        .receiveMaximum(MAX_RECEIVED)
        .maximumPacketSize(MAX_PACKET)
        .applyRestrictions()
        .willPublish(
            Mqtt5Publish.builder()
                .topic(topics.status())
                .payload(MqttMessage.state(topics.status(), OFFLINE).payload())
                .qos(MqttQos.AT_LEAST_ONCE)
                .retain(true)
                .build()
                .asWill())
        .build();
  }

  /** Takes a received message without waiting for its outcome. */
  @FunctionalInterface
  private interface Receiver {
    void receive(String topic, byte[] payload, Caller caller, Consumer<MqttMessage> answers);
  }

  private void subscribe(
      Mqtt5AsyncClient connected, String filter, Receiver receiver, Caller caller)
      throws IOException, InterruptedException {
    await(
        connected
            .subscribeWith()
            .topicFilter(filter)
            .qos(MqttQos.AT_LEAST_ONCE)
            .callback(received -> receive(connected, received, receiver, caller))
            .send());
  }

  private void receive(
      Mqtt5AsyncClient connected, Mqtt5Publish received, Receiver receiver, Caller caller) {
    try {
      receiver.receive(
          received.getTopic().toString(),
          received.getPayloadAsBytes(),
          caller,
          answer -> publish(connected, answer));
    } catch (RuntimeException e) {
      log.error("{}: a command could not be handled", name(), e);
    }
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException {
    Mqtt5AsyncClient connected = client;
    if (connected == null) {
      throw new IOException("not connected");
    }
    List<List<CompletableFuture<Mqtt5PublishResult>>> sent = new ArrayList<>();
    for (Change change : changes) {
      sent.add(messages.of(change).stream().map(one -> publish(connected, one)).toList());
    }
    for (int i = 0; i < sent.size(); i++) {
      for (CompletableFuture<Mqtt5PublishResult> one : sent.get(i)) {
        requireAcknowledged(one);
      }
      delivered.accept(changes.get(i));
    }
  }

  @Override
  public void tellLost(long number) throws IOException, InterruptedException {
    Mqtt5AsyncClient connected = client;
    if (connected == null) {
      throw new IOException("not connected");
    }
    byte[] json = new JsonWriter().open('{').member("readings", number).close('}').toOctets();
    requireAcknowledged(publish(connected, MqttMessage.json(topics.lost(), json, false)));
  }

  private static CompletableFuture<Mqtt5PublishResult> publish(
      Mqtt5AsyncClient connected, MqttMessage message) {
    Mqtt5PublishBuilder.Complete publish =
        Mqtt5Publish.builder()
            .topic(message.topic())
            .payload(message.payload())
            .qos(MqttQos.AT_LEAST_ONCE)
            .retain(message.retained());
    String contentType = message.contentType();
    if (contentType != null) {
      publish = publish.contentType(contentType);
    }
    if (message.seq() > 0) {
      publish =
          publish.userProperties().add("seq", Long.toString(message.seq())).applyUserProperties();
    }
    return connected.publish(publish.build());
  }

  private void requireAcknowledged(CompletableFuture<Mqtt5PublishResult> future)
      throws IOException, InterruptedException {
    Optional<Throwable> error = await(future).getError();
    if (error.isPresent()) {
      throw new IOException("the broker refused a message: " + error.get().getMessage());
    }
  }

  private <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
    try {
      return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(reason(e), e);
    } catch (TimeoutException e) {
      Mqtt5AsyncClient silent = client;
      if (silent != null) {
        silent.disconnect();
      }
      throw new IOException("the broker did not answer within " + TIMEOUT_SECONDS + " s", e);
    }
  }

  /** The message of the first cause; those around it repeat it, with names of classes. */
  private static String reason(Throwable thrown) {
    Throwable first = thrown;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      first = t;
    }
    @Nullable String message = first.getMessage();
    return message == null ? first.getClass().getSimpleName() : message;
  }

  @Override
  public void close() {
    closed = true;
    Mqtt5AsyncClient open = client;
    if (open == null || !open.getState().isConnected()) {
      return;
    }
    try {
      publish(open, MqttMessage.state(topics.status(), OFFLINE))
          .get(ENDING_SECONDS, TimeUnit.SECONDS);
      open.disconnect().get(ENDING_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      log.debug("{}: the connection did not end in time; the broker publishes its will", name());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
