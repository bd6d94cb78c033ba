package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.gateway.command.CommanderKey;
import dev.vigil.gateway.config.MqttProperties;
import dev.vigil.gateway.northbound.mqtt.MqttTopics.Resource;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.command.CommandService;
import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Signs what Home Assistant's switches ask for, with a commander's key that was enrolled for the
 * gateway, and hands it on as a command of the broker: all of a command's checks follow.
 */
final class MqttSwitches {
  private static final Logger log = LoggerFactory.getLogger(MqttSwitches.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final MqttProperties settings;
  private final MqttTopics topics;
  private final CommanderKey key;
  private final Store store;
  private final MirrorQueries mirror;
  private final MqttCommands commands;
  private final Clock clock;

  /** The last number given out by endpoint; guarded by this, like the order of commands. */
  private final Map<String, Long> numbers = new HashMap<>();

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
   * Takes what a switch says, without waiting for the outcome.
   *
   * @param answers takes the answer, on any thread
   */
  synchronized void receive(
      String topic, byte[] payload, Caller caller, Consumer<MqttMessage> answers) {
    Resource resource = topics.switched(topic).orElse(null);
    if (resource == null || !settings.switches(resource.endpoint().d())) {
      return;
    }
    String path = ResourcePaths.canonical(resource.segments());
    String id = store.endpoint(resource.endpoint()).map(Store.Endpoint::id).orElse("");
    String said = new String(payload, StandardCharsets.UTF_8);
    boolean isOn = said.equals(HomeAssistantSwitches.ON);
    if (!isOn && !said.equals(HomeAssistantSwitches.OFF) || !isSwitch(id, path)) {
      log.warn("{}: no switch of {} takes what came on its topic", caller.label(), path);
      return;
    }
    long number = Math.max(numbers.getOrDefault(id, 0L), mirror.lastCommand(id)) + 1;
    numbers.put(id, number);
    byte[] body =
        ("[{\"n\":" + JSON.writeValueAsString(path) + ",\"v\":" + (isOn ? 1 : 0) + "}]")
            .getBytes(StandardCharsets.UTF_8);
    String jws = key.sign(header(resource.endpoint(), path, number), body);
    commands.receive(
        topics.command(resource), jws.getBytes(StandardCharsets.US_ASCII), caller, answers);
  }

  private boolean isSwitch(String id, String path) {
    return settings.switchPaths().contains(path) || mirror.actuators(id).contains(path);
  }

  private ObjectNode header(EndpointName name, String path, long number) {
    ObjectNode header =
        JSON.createObjectNode()
            .put("typ", CommandService.TYPE)
            .put("cty", ContentFormat.SENML_JSON.mediaType())
            .put("ep", name.ep())
            .put("res", path)
            .put("seq", number)
            .put("exp", clock.instant().plus(settings.switchExpires()).getEpochSecond());
    return name.d().isEmpty() ? header : header.put("d", name.d());
  }
}
