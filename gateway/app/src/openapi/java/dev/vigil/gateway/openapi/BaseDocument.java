package dev.vigil.gateway.openapi;

import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The document {@code base.yaml}. */
final class BaseDocument {
  private static final String TAGGED_PATHS = "x-paths";

  private final ObjectNode root;

  BaseDocument(ObjectNode root) {
    this.root = root;
  }

  /**
   * @throws IllegalStateException when it adds to an operation that no controller has
   */
  void mergeInto(ObjectNode document, String version) {
    ObjectNode paths = (ObjectNode) document.required("paths");
    root.required("paths")
        .properties()
        .forEach(path -> requireKnown(path.getKey(), path.getValue(), paths));
    ArrayNode tags = root.required("tags").deepCopy().asArray();
    tags.forEach(tag -> ((ObjectNode) tag).remove(TAGGED_PATHS));
    document.remove("tags");
    document.remove("servers");
    document.remove("info");
    merge(document, root);
    document.set("tags", tags);
    ((ObjectNode) document.required("info")).put("version", version);
  }

  private static void requireKnown(String path, JsonNode operations, ObjectNode paths) {
    for (String method : operations.propertyNames()) {
      if (path.startsWith("/api/") && !paths.path(path).has(method)) {
        throw new IllegalStateException(
            "base.yaml has " + method + " " + path + ": who serves it?");
      }
    }
  }

  /** Members of objects are merged; everything else replaces what was there. */
  static void merge(ObjectNode into, ObjectNode from) {
    for (Map.Entry<String, JsonNode> member : from.properties()) {
      if (into.path(member.getKey()) instanceof ObjectNode present
          && member.getValue() instanceof ObjectNode more
          && !present.has("$ref")
          && !more.has("$ref")) {
        merge(present, more);
      } else {
        into.set(member.getKey(), member.getValue().deepCopy());
      }
    }
  }

  /** The tag of the longest path that a path begins with. */
  String tag(String path) {
    String best = "";
    String found = "";
    for (JsonNode tag : root.required("tags")) {
      for (JsonNode prefix : tag.required(TAGGED_PATHS)) {
        String text = prefix.asString();
        boolean within = path.equals(text) || path.startsWith(text + "/");
        if (within && text.length() > best.length()) {
          best = text;
          found = tag.required("name").asString();
        }
      }
    }
    return found;
  }

  /** The name of the described parameter. */
  Optional<String> parameter(String place, String name) {
    return root.required("components").required("parameters").properties().stream()
        .filter(
            one ->
                one.getValue().required("in").asString().equals(place)
                    && one.getValue().required("name").asString().equals(name))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  ObjectNode parameter(String component) {
    return (ObjectNode)
        root.required("components").required("parameters").required(component).deepCopy();
  }
}
