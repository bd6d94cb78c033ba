package dev.vigil.gateway.northbound.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import dev.vigil.coap.exchange.Caller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
 * The connection to a broker, with a clean session. The destination's thread connects and waits for
 * answers; any thread may publish.
 */
public final class MqttConnection {
  private static final Logger log = LoggerFactory.getLogger(MqttConnection.class);
  private static final long TIMEOUT_SECONDS = 20;
  private static final long ENDING_SECONDS = 1;
  private static final int KEEP_ALIVE_SECONDS = 20;

  /** The maximum size of a received packet in octets. */
  private static final int MAX_PACKET = 128 << 10;

  /**
   * The maximum number of packets received at a time. Mosquitto sends at most 20 by default; at a
   * lower limit it once sent more than the limit in a burst, which ends the connection.
   */
  private static final int MAX_RECEIVED = 32;

  private final String name;
  private final MqttProperties settings;
  private final MqttClients clients;

  private volatile @Nullable Mqtt5AsyncClient client;
  private volatile boolean closed;

  /**
   * Creates the connection to a broker from the settings.
   *
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  public static MqttConnection of(String name, MqttProperties settings) throws IOException {
    return new MqttConnection(
        name,
        settings,
        new MqttClients("northbound.mqtt." + name, settings.clientIdOf(name), settings));
  }

  /**
   * @param name of the settings
   */
  MqttConnection(String name, MqttProperties settings, MqttClients clients) {
    this.name = name;
    this.settings = settings;
    this.clients = clients;
  }

  public String name() {
    return "mqtt:" + name;
  }

  /** Accepts a received message without waiting for its outcome. */
  @FunctionalInterface
  public interface Receiver {
    void receive(String topic, byte[] payload, Caller caller, Consumer<MqttMessage> answers);
  }

  /** Whether a connection is missing and should be made. */
  public boolean isMissing() {
    Mqtt5AsyncClient present = client;
    return !closed && (present == null || !present.getState().isConnected());
  }

  /**
   * Makes a new connection.
   *
   * @param will the message that the broker publishes when the connection breaks
   */
  public void connect(MqttMessage will) throws IOException, InterruptedException {
    Mqtt5AsyncClient fresh = clients.create();
    client = fresh;
    await(
        fresh.connect(
            Mqtt5Connect.builder()
                .cleanStart(true)
                .keepAlive(KEEP_ALIVE_SECONDS)
                .restrictions()
                .receiveMaximum(MAX_RECEIVED)
                .maximumPacketSize(MAX_PACKET)
                .applyRestrictions()
                .willPublish(
                    Mqtt5Publish.builder()
                        .topic(will.topic())
                        .payload(will.payload())
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .retain(will.retained())
                        .build()
                        .asWill())
                .build()));
  }

  /** Ends the connection, so that the next call of the loop makes a new one. */
  public void disconnect() {
    Mqtt5AsyncClient present = client;
    if (present != null) {
      present.disconnect();
    }
  }

  /** Subscribes without retained messages, because an old command must not be executed later. */
  public void subscribe(String filter, Receiver receiver) throws IOException, InterruptedException {
    subscribe(filter, receiver, Mqtt5RetainHandling.DO_NOT_SEND);
  }

  /** Subscribes to a state; the retained message comes first. */
  public void subscribeToState(String topic, Receiver receiver)
      throws IOException, InterruptedException {
    subscribe(topic, receiver, Mqtt5RetainHandling.SEND);
  }

  private void subscribe(String filter, Receiver receiver, Mqtt5RetainHandling kept)
      throws IOException, InterruptedException {
    Mqtt5AsyncClient connected = connected();
    Caller caller =
        new Caller(
            new InetSocketAddress(InetAddress.getByName(settings.host()), settings.port()),
            true,
            settings.isSecure(),
            new Caller.Broker(name));
    await(
        connected
            .subscribeWith()
            .topicFilter(filter)
            .qos(MqttQos.AT_LEAST_ONCE)
            .retainHandling(kept)
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
          answer -> publish(connected, answer, MqttQos.AT_LEAST_ONCE));
    } catch (RuntimeException e) {
      log.error("{}: a command could not be handled", name(), e);
    }
  }

  private Mqtt5AsyncClient connected() throws IOException {
    Mqtt5AsyncClient present = client;
    if (present == null) {
      throw new IOException("not connected");
    }
    return present;
  }

  /** Publishes with QoS 1; the future completes with the broker's acknowledgement. */
  public CompletableFuture<Mqtt5PublishResult> publish(MqttMessage message) throws IOException {
    return publish(connected(), message, MqttQos.AT_LEAST_ONCE);
  }

  /** Publishes with QoS 0; the future completes when the message was written to the connection. */
  public CompletableFuture<Mqtt5PublishResult> publishUnacknowledged(MqttMessage message)
      throws IOException {
    return publish(connected(), message, MqttQos.AT_MOST_ONCE);
  }

  private static CompletableFuture<Mqtt5PublishResult> publish(
      Mqtt5AsyncClient connected, MqttMessage message, MqttQos qos) {
    Mqtt5PublishBuilder.Complete publish =
        Mqtt5Publish.builder()
            .topic(message.topic())
            .payload(message.payload())
            .qos(qos)
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

  /** Waits until a message was acknowledged (QoS 1) or written (QoS 0). */
  public void require(CompletableFuture<Mqtt5PublishResult> published)
      throws IOException, InterruptedException {
    Optional<Throwable> error = await(published).getError();
    if (error.isPresent()) {
      throw new IOException("the broker refused a message: " + error.get().getMessage());
    }
  }

  /**
   * Waits until the broker has read all previously written packets. A broker handles the packets of
   * a connection in order and answers this one.
   *
   * @param filter a topic filter without a subscription
   */
  public void requireRead(String filter) throws IOException, InterruptedException {
    await(connected().unsubscribeWith().topicFilter(filter).send());
  }

  private <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
    try {
      return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(reason(e), e);
    } catch (TimeoutException e) {
      disconnect();
      throw new IOException("the broker did not answer within " + TIMEOUT_SECONDS + " s", e);
    }
  }

  /** The message of the root cause; the outer exceptions only repeat it with class names. */
  private static String reason(Throwable thrown) {
    Throwable first = thrown;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      first = t;
    }
    @Nullable String message = first.getMessage();
    return message == null ? first.getClass().getSimpleName() : message;
  }

  /** Makes every later connection fail, and ends the present connection with a message. */
  public void close(Optional<MqttMessage> last) {
    closed = true;
    Mqtt5AsyncClient open = client;
    if (open == null || !open.getState().isConnected()) {
      return;
    }
    try {
      if (last.isPresent()) {
        publish(open, last.get(), MqttQos.AT_LEAST_ONCE).get(ENDING_SECONDS, TimeUnit.SECONDS);
      }
      open.disconnect().get(ENDING_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      log.debug("{}: the connection did not end in time; the broker publishes its will", name());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
