package dev.vigil.gateway.openapi;

import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes components that nothing refers to. */
final class UnusedComponents {
  private static final List<String> KINDS =
      Arrays.asList("schemas", "parameters", "responses", "requestBodies", "headers");

  private UnusedComponents() {}

  static void remove(ObjectNode document) {
    boolean removed = true;
    while (removed) {
      removed = false;
      String text = document.toString();
      for (String kind : KINDS) {
        if (document.required("components").path(kind) instanceof ObjectNode components) {
          removed |= remove(kind, components, text);
        }
      }
    }
  }

  private static boolean remove(String kind, ObjectNode components, String text) {
    List<String> unused =
        components.properties().stream()
            .map(java.util.Map.Entry<String, JsonNode>::getKey)
            .filter(name -> !text.contains("\"#/components/" + kind + "/" + name + "\""))
            .toList();
    unused.forEach(components::remove);
    return !unused.isEmpty();
  }
}
