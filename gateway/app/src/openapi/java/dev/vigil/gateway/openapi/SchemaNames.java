package dev.vigil.gateway.openapi;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Gives schemas the short names of their classes: {@code EndpointJson} becomes Endpoint. */
final class SchemaNames {
  private static final String PREFIX = "#/components/schemas/";

  private SchemaNames() {}

  /**
   * @throws IllegalStateException when two classes would have one name
   */
  static void shorten(ObjectNode document) {
    ObjectNode schemas = (ObjectNode) document.required("components").required("schemas");
    Map<String, String> names = new HashMap<>();
    Map<String, JsonNode> renamed = new TreeMap<>();
    schemas
        .properties()
        .forEach(
            schema -> {
              String name = shortName(schema.getKey());
              names.put(schema.getKey(), name);
              if (renamed.put(name, schema.getValue()) != null) {
                throw new IllegalStateException(
                    "two schemas are called " + name + ": give one of them @Schema(name)");
              }
            });
    schemas.removeAll();
    renamed.forEach(schemas::set);
    replaceReferences(document, names);
  }

  /** The name of a class without its package, its outer class and the suffix Json or View. */
  static String shortName(String className) {
    String simple =
        className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    return simple.replaceFirst("(?<=.)(Json|View)$", "");
  }

  private static void replaceReferences(JsonNode node, Map<String, String> names) {
    if (node instanceof ObjectNode object && object.path("$ref").isString()) {
      String target = object.get("$ref").asString();
      if (target.startsWith(PREFIX)) {
        String name = names.get(target.substring(PREFIX.length()));
        if (name == null) {
          throw new IllegalStateException("there is no schema " + target);
        }
        object.put("$ref", PREFIX + name);
      }
    }
    node.forEach(child -> replaceReferences(child, names));
  }
}
