package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.store.EndpointName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The topics of one broker: {@code PREFIX/DOMAIN/ENDPOINT/KIND/PATH}. Characters with a meaning in
 * topics are percent-encoded; the unnamed domain is {@code -}. The segments of a path are levels.
 *
 * @param prefix first levels of all topics
 */
public record MqttTopics(String prefix) {
  private static final String COMMAND = "command";
  private static final String SWITCH = "switch";
  private static final String STATE = "state";

  /** Number of levels in a command's topic between prefix and path. */
  private static final int LEVELS = 3;

  /** A resource of an endpoint. */
  record Resource(EndpointName endpoint, List<String> segments) {}

  /** The topic of the gateway's status: {@code online} or {@code offline}. */
  String status() {
    return prefix + "/status";
  }

  /** The topic of the number of lost readings. */
  String lost() {
    return prefix + "/lost";
  }

  /** The topic of tests. */
  String test() {
    return prefix + "/test";
  }

  /**
   * @param path percent-encoded
   */
  String value(EndpointName name, String path) {
    return of(name, "value") + "/" + level(path);
  }

  String commands(EndpointName name) {
    return of(name, "commands");
  }

  String answer(Resource resource) {
    return of(resource.endpoint, "answer")
        + "/"
        + level(ResourcePaths.canonical(resource.segments));
  }

  /** The filter for topics of commands. */
  String commandFilter() {
    return prefix + "/+/+/" + COMMAND + "/#";
  }

  /** The filter for topics of Home Assistant's switches. */
  String switchFilter() {
    return prefix + "/+/+/" + SWITCH + "/#";
  }

  /**
   * @param path percent-encoded
   */
  String switching(EndpointName name, String path) {
    return of(name, SWITCH) + "/" + level(path);
  }

  /**
   * The topic of a switch's state, which its endpoint has signed.
   *
   * @param path percent-encoded
   */
  String switchState(EndpointName name, String path) {
    return of(name, STATE) + "/" + level(path);
  }

  String command(Resource resource) {
    return of(resource.endpoint, COMMAND) + "/" + level(ResourcePaths.canonical(resource.segments));
  }

  /** The resource that a command's topic names; empty when it names none. */
  Optional<Resource> command(String topic) {
    return resource(topic, COMMAND);
  }

  /** The resource that a switch's topic names; empty when it names none. */
  Optional<Resource> switched(String topic) {
    return resource(topic, SWITCH);
  }

  private Optional<Resource> resource(String topic, String kind) {
    if (!topic.startsWith(prefix + "/")) {
      return Optional.empty();
    }
    String[] levels = topic.substring(prefix.length() + 1).split("/", LEVELS + 1);
    if (levels.length <= LEVELS || !levels[2].equals(kind) || levels[LEVELS].isEmpty()) {
      return Optional.empty();
    }
    String ep = unescaped(levels[1]);
    return ep.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Resource(
                new EndpointName(ep, DomainNames.named(unescaped(levels[0]))),
                ResourcePaths.segments(levels[LEVELS])));
  }

  private String of(EndpointName name, String kind) {
    String d = name.d().isEmpty() ? DomainNames.NAMELESS : escaped(name.d());
    return prefix + "/" + d + "/" + escaped(name.ep()) + "/" + kind;
  }

  private static String level(String path) {
    return path.replace("+", "%2B");
  }

  /** Escapes a name for use as one level of a topic. */
  public static String escaped(String name) {
    StringBuilder escaped = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if ("+#/%".indexOf(c) >= 0 || c < ' ') {
        escaped.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static String unescaped(String level) {
    return ResourcePaths.segments(level).getFirst();
  }
}
