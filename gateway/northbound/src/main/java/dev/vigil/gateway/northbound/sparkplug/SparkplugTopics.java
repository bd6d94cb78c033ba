package dev.vigil.gateway.northbound.sparkplug;

import dev.vigil.gateway.northbound.mqtt.MqttTopics;
import dev.vigil.store.EndpointName;

/**
 * The topics of an edge node (Sparkplug 3.0 section 4). An endpoint is a device; its id is {@code
 * DOMAIN:ENDPOINT}, or {@code ENDPOINT} in the unnamed domain. Characters with a meaning are
 * percent-encoded.
 *
 * @param group id of the group
 * @param node id of the edge node in the form of a topic level
 */
public record SparkplugTopics(String group, String node) {
  private static final String NAMESPACE = "spBv1.0/";

  String nodeBirth() {
    return of("NBIRTH");
  }

  String nodeDeath() {
    return of("NDEATH");
  }

  String nodeData() {
    return of("NDATA");
  }

  String nodeCommand() {
    return of("NCMD");
  }

  String deviceBirth(EndpointName name) {
    return of("DBIRTH") + "/" + device(name);
  }

  String deviceDeath(EndpointName name) {
    return of("DDEATH") + "/" + device(name);
  }

  String deviceData(EndpointName name) {
    return of("DDATA") + "/" + device(name);
  }

  /** The filter for commands to devices. */
  String deviceCommands() {
    return of("DCMD") + "/+";
  }

  /** The topic of the retained state of a host. */
  static String hostState(String host) {
    return NAMESPACE + "STATE/" + host;
  }

  private String of(String type) {
    return NAMESPACE + group + "/" + type + "/" + node;
  }

  private static String device(EndpointName name) {
    String ep = level(name.ep());
    return name.d().isEmpty() ? ep : level(name.d()) + ":" + ep;
  }

  private static String level(String name) {
    return MqttTopics.escaped(name).replace(":", "%3A");
  }
}
