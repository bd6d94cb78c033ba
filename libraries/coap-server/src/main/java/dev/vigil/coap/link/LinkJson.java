package dev.vigil.coap.link;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes links as JSON (draft-ietf-core-links-json): an array of objects with {@code href} and a
 * member for each attribute name. The member is an array if the attribute is repeated, and {@code
 * true} if it has no value.
 */
public final class LinkJson {
  private static final JsonFactory JSON = new JsonFactory();

  private LinkJson() {}

  public static byte[] write(List<Link> links) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartArray();
      for (Link link : links) {
        json.writeStartObject();
        json.writeStringProperty("href", link.target());
        byName(link).forEach((name, values) -> write(json, name, values));
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    return out.toByteArray();
  }

  private static Map<String, List<Link.Attribute>> byName(Link link) {
    Map<String, List<Link.Attribute>> byName = new LinkedHashMap<>();
    for (Link.Attribute attribute : link.attributes()) {
      if (!attribute.name().equals("href")) {
        byName.computeIfAbsent(attribute.name(), name -> new ArrayList<>()).add(attribute);
      }
    }
    return byName;
  }

  private static void write(JsonGenerator json, String name, List<Link.Attribute> values) {
    json.writeName(name);
    if (values.size() == 1) {
      write(json, values.getFirst());
      return;
    }
    json.writeStartArray();
    values.forEach(value -> write(json, value));
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Link.Attribute attribute) {
    if (attribute.value() == null) {
      json.writeBoolean(true);
    } else {
      json.writeString(attribute.value());
    }
  }
}
