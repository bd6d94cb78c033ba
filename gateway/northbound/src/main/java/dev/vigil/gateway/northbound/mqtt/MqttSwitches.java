package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.gateway.northbound.mqtt.MqttTopics.Resource;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs the commands of Home Assistant's switches, numbers and selections with a commander's key
 * that was enrolled for the gateway. It passes each on as a command of the broker, which is then
 * checked like any other command.
 *
 * <p>An endpoint has only one command in progress at a time, because its commands have rising
 * numbers. Further wishes wait, also while the command queue of a sleeping endpoint is full. Only
 * the newest wish of each switch is kept.
 */
final class MqttSwitches {
  private static final Logger log = LoggerFactory.getLogger(MqttSwitches.class);

  /**
   * The maximum number of commands in progress; {@link MqttCommands} has its own limit and refuses
   * more.
   */
  private static final int MAX_UNDER_WAY = 16;

  private final MqttProperties settings;
  private final MqttTopics topics;
  private final CommanderKey key;
  private final Store store;
  private final MirrorQueries mirror;
  private final MqttCommands commands;
  private final Clock clock;

  private final ReentrantLock lock = new ReentrantLock();

  /** Waiting wishes in the order of arrival; guarded by the lock, like the following fields. */
  private final Map<Resource, Wish> wishes = new LinkedHashMap<>();

  private final Set<EndpointName> underWay = new HashSet<>();

  /** The last assigned number by endpoint, until the mirror has it. */
  private final Map<String, Long> numbers = new HashMap<>();

  private boolean sending;

  /**
   * A requested value.
   *
   * @param id of the endpoint
   * @param expires Unix time in seconds, counted from the arrival of the wish, so that waiting does
   *     not extend it
   */
  private record Wish(
      Resource resource,
      String id,
      SenmlValue value,
      long expires,
      Caller caller,
      Consumer<MqttMessage> answers) {}

  /** A wish with the number of its command. */
  private record Numbered(Wish wish, long number) {}

  MqttSwitches(
      MqttProperties settings,
      MqttTopics topics,
      CommanderKey key,
      Store store,
      MirrorQueries mirror,
      MqttCommands commands,
      Clock clock) {
    this.settings = settings;
    this.topics = topics;
    this.key = key;
    this.store = store;
    this.mirror = mirror;
    this.commands = commands;
    this.clock = clock;
  }

  /**
   * Accepts the message of a switch without waiting for the outcome.
   *
   * @param answers receives the answer, on any thread
   */
  void receive(String topic, byte[] payload, Caller caller, Consumer<MqttMessage> answers) {
    Resource resource = topics.switched(topic).orElse(null);
    if (resource == null || !settings.switches(resource.endpoint().d())) {
      return;
    }
    String path = ResourcePaths.canonical(resource.segments());
    String id = store.endpoint(resource.endpoint()).map(Store.Endpoint::id).orElse("");
    String said = new String(payload, StandardCharsets.UTF_8);
    HomeAssistantActuator actuator = HomeAssistantActuator.of(mirror.control(id, path).control());
    SenmlValue value = actuator.value(said).filter(_ -> isActuator(id, path)).orElse(null);
    if (value == null) {
      log.warn(
          "{}: ignored a message for {}: expected {} on the topic of a switch",
          caller.label(),
          path,
          actuator.expected());
      return;
    }
    long expires = clock.instant().plus(settings.switchExpires()).getEpochSecond();
    lock.lock();
    try {
      wishes.remove(resource);
      wishes.put(resource, new Wish(resource, id, value, expires, caller, answers));
    } finally {
      lock.unlock();
    }
    sendAll();
  }

  /**
   * Sends the wishes that need not wait, on one thread at a time. Must be called about every
   * second, because nothing else signals that a full command queue has room again.
   */
  void sendAll() {
    for (Numbered next = first(); next != null; next = next()) {
      EndpointName endpoint = next.wish.resource.endpoint();
      try {
        send(next).whenComplete((_, _) -> ended(endpoint));
      } catch (RuntimeException e) {
        stopped(endpoint);
        throw e;
      }
    }
  }

  private void stopped(EndpointName endpoint) {
    lock.lock();
    try {
      underWay.remove(endpoint);
      sending = false;
    } finally {
      lock.unlock();
    }
  }

  /** Returns null while another thread sends, because that thread finds all wishes. */
  private @Nullable Numbered first() {
    lock.lock();
    try {
      if (sending) {
        return null;
      }
      sending = true;
      return next();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Numbered next() {
    lock.lock();
    try {
      for (Wish wish : wishes.values()) {
        if (underWay.size() < MAX_UNDER_WAY
            && !mirror.isCommandQueueFull(wish.id)
            && underWay.add(wish.resource.endpoint())) {
          wishes.remove(wish.resource);
          long former = Math.max(numbers.getOrDefault(wish.id, 0L), mirror.lastCommand(wish.id));
          numbers.put(wish.id, former + 1);
          return new Numbered(wish, former + 1);
        }
      }
      numbers.entrySet().removeIf(this::isSettled);
      sending = false;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the mirror has a number, or has no such endpoint. */
  private boolean isSettled(Map.Entry<String, Long> number) {
    String id = number.getKey();
    return mirror.lastCommand(id) >= number.getValue() || mirror.presence(id).isEmpty();
  }

  private void ended(EndpointName endpoint) {
    lock.lock();
    try {
      underWay.remove(endpoint);
    } finally {
      lock.unlock();
    }
    sendAll();
  }

  private CompletableFuture<?> send(Numbered numbered) {
    Wish wish = numbered.wish;
    String path = ResourcePaths.canonical(wish.resource.segments());
    String jws =
        key.command(wish.resource.endpoint(), path, numbered.number, wish.expires, wish.value);
    return commands.receive(
        topics.command(wish.resource),
        jws.getBytes(StandardCharsets.US_ASCII),
        wish.caller,
        wish.answers);
  }

  private boolean isActuator(String id, String path) {
    return settings.switchPaths().contains(path) || mirror.actuators(id).contains(path);
  }
}
