package dev.vigil.gateway.openapi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completes the operations with what holds for many of them: tags, described parameters, errors,
 * and who may call them.
 */
final class Operations {
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete");
  private static final Set<String> LOOKED_UP = Set.of("Network", "IPsec");
  private static final String IF_MATCH = "ifMatch";

  private final BaseDocument base;
  private final AccessTable access;

  Operations(BaseDocument base, AccessTable access) {
    this.base = base;
    this.access = access;
  }

  void complete(ObjectNode document) {
    ObjectNode paths = (ObjectNode) document.required("paths");
    Map<String, JsonNode> sorted = new TreeMap<>();
    paths
        .properties()
        .forEach(path -> sorted.put(path.getKey().replace("{*", "{"), path.getValue()));
    paths.removeAll();
    sorted.forEach(
        (path, item) -> {
          paths.set(path, item);
          item.properties().stream()
              .filter(operation -> METHODS.contains(operation.getKey()))
              .forEach(one -> complete(path, one.getKey(), (ObjectNode) one.getValue(), item));
          tagVersions(item);
        });
  }

  private void complete(String path, String method, ObjectNode operation, JsonNode item) {
    String tag = base.tag(path);
    operation.putArray("tags").add(tag);
    if (method.equals("put") && path.endsWith("/commands")) {
      // One Java method serves POST and PUT.
      operation.put("operationId", "putCommand");
    }
    if (!item.has("parameters")) {
      describeParameters(path, operation);
    }
    permit(path, method, operation);
    addErrors(path, method, operation, LOOKED_UP.contains(tag));
    if (method.equals("get") && !path.startsWith("/v3/")) {
      markStale(operation);
    }
  }

  /** Every answer may have the header; the document names it where values are read. */
  private static void markStale(ObjectNode operation) {
    if (operation.path("responses").path("200") instanceof ObjectNode answer
        && !answer.has("$ref")) {
      answer
          .withObject("headers")
          .putObject("Vigil-Stale")
          .put("$ref", "#/components/headers/VigilStale");
    }
  }

  private void describeParameters(String path, ObjectNode operation) {
    ArrayNode parameters =
        operation.path("parameters") instanceof ArrayNode present
            ? present
            : operation.putArray("parameters");
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i) instanceof ObjectNode parameter && !parameter.has("$ref")) {
        parameters.set(i, described(path, parameter));
      }
    }
    for (String name : path.split("\\{")) {
      int end = name.indexOf('}');
      if (end > 0 && !has(parameters, name.substring(0, end))) {
        base.parameter("path", name.substring(0, end))
            .ifPresent(component -> parameters.addObject().put("$ref", reference(component)));
      }
    }
    if (parameters.isEmpty()) {
      operation.remove("parameters");
    }
  }

  private boolean has(ArrayNode parameters, String name) {
    return StreamSupport.stream(parameters.spliterator(), false)
        .anyMatch(one -> name.equals(nameOf(one)));
  }

  private String nameOf(JsonNode parameter) {
    String target = parameter.path("$ref").asString("");
    JsonNode described =
        target.isEmpty()
            ? parameter
            : base.parameter(target.substring(target.lastIndexOf('/') + 1));
    return described.path("name").asString("");
  }

  private ObjectNode described(String path, ObjectNode parameter) {
    String name = parameter.required("name").asString();
    Optional<String> component =
        name.equals("id") && !path.startsWith("/api/endpoints/")
            ? Optional.of("otherId")
            : base.parameter(parameter.required("in").asString(), name);
    if (component.isEmpty() || parameter.has("description")) {
      return parameter;
    }
    ObjectNode whole = base.parameter(component.get());
    JsonNode schema = parameter.path("schema");
    if (!schema.path("type").equals(whole.required("schema").required("type"))) {
      return parameter;
    }
    boolean required = parameter.path("required").asBoolean(false);
    if (schema.has("default")) {
      ((ObjectNode) whole.required("schema")).set("default", schema.get("default"));
      return whole;
    }
    if (required != whole.path("required").asBoolean(false)) {
      return whole.put("required", required);
    }
    return whole.removeAll().put("$ref", reference(component.get()));
  }

  private static String reference(String component) {
    return "#/components/parameters/" + component;
  }

  private void permit(String path, String method, ObjectNode operation) {
    boolean api = path.startsWith("/api/");
    Optional<AccessTable.Row> row = access.of(method.toUpperCase(java.util.Locale.ROOT), path);
    if (row.isPresent()) {
      String before = operation.path("description").asString("");
      operation.put(
          "description", (before.isEmpty() ? "" : before + "\n\n") + row.get().sentence());
    }
    if (row.map(AccessTable.Row::isOpen).orElse(false)) {
      operation.putArray("security");
    } else if (!operation.has("security")
        && (!api || row.map(AccessTable.Row::mayBeOpen).orElse(false))) {
      ArrayNode security = operation.putArray("security");
      security.addObject();
      security.addObject().putArray("token");
      security.addObject().putArray("session");
    }
  }

  private static void addErrors(
      String path, String method, ObjectNode operation, boolean lookedUp) {
    ObjectNode responses = (ObjectNode) operation.required("responses");
    Map<String, String> errors = new LinkedHashMap<>();
    errors.put("400", "BadRequest");
    if (!operation.path("security").isArray() || !operation.path("security").isEmpty()) {
      errors.put("401", "Unauthorized");
      errors.put("403", "Forbidden");
    }
    if (path.contains("{") || lookedUp) {
      errors.put("404", "NotFound");
    }
    if (!method.equals("get")) {
      errors.put("409", "Conflict");
    }
    if (operation.path("parameters").toString().contains(reference(IF_MATCH))) {
      errors.put("412", "PreconditionFailed");
    }
    if (operation.has("requestBody")) {
      errors.put("413", "TooLarge");
      errors.put("415", "UnsupportedType");
    }
    errors.put("default", "Other");
    errors.forEach(
        (status, response) ->
            responses.putObject(status).put("$ref", "#/components/responses/" + response));
  }

  /** If the changes of a path take If-Match, its answers have an ETag. */
  private static void tagVersions(JsonNode item) {
    if (!item.toString().contains(reference(IF_MATCH))) {
      return;
    }
    for (String method : METHODS) {
      if (item.path(method).path("responses").path("200") instanceof ObjectNode answer) {
        ObjectNode headers = answer.withObject("headers");
        headers.putObject("ETag").put("$ref", "#/components/headers/ETag");
      }
    }
  }
}
