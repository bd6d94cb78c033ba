package dev.vigil.gateway.openapi;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vigil.gateway.api.LabelsOf;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completes the schemas of records: components that cannot be null are required, labels of enums
 * are listed, and comments become descriptions.
 */
final class RecordSchemas {
  private final ObjectNode document;
  private final SourceComments comments;

  /** Classes whose schemas have a different name. */
  private final Map<String, Class<?>> named = named();

  RecordSchemas(ObjectNode document, SourceComments comments) {
    this.document = document;
    this.comments = comments;
  }

  void complete() {
    for (Map.Entry<String, JsonNode> schema :
        document.required("components").required("schemas").properties()) {
      Class<?> type = type(schema.getKey());
      if (type != null && type.isRecord() && schema.getValue() instanceof ObjectNode object) {
        complete(object, type);
      }
    }
  }

  private static Map<String, Class<?>> named() {
    ClassPathScanningCandidateComponentProvider scan =
        new ClassPathScanningCandidateComponentProvider(false);
    scan.addIncludeFilter(new AnnotationTypeFilter(Schema.class));
    Map<String, Class<?>> types = new HashMap<>();
    for (BeanDefinition found : scan.findCandidateComponents("dev.vigil.gateway")) {
      Class<?> type = ClassUtils.resolveClassName(String.valueOf(found.getBeanClassName()), null);
      String name = type.getAnnotation(Schema.class).name();
      if (!name.isEmpty()) {
        types.put(name, type);
      }
    }
    return types;
  }

  private @Nullable Class<?> type(String name) {
    if (named.containsKey(name)) {
      return named.get(name);
    }
    return ClassUtils.isPresent(name, null) ? ClassUtils.resolveClassName(name, null) : null;
  }

  private void complete(ObjectNode schema, Class<?> type) {
    SourceComments.Comment comment = comments.of(type.getName());
    if (!comment.text().isEmpty() && !schema.has("description")) {
      schema.put("description", comment.text());
    }
    Set<String> required = new TreeSet<>();
    schema.path("required").forEach(name -> required.add(name.asString()));
    describe(schema, type, required);
    schema.remove("required");
    if (!required.isEmpty()) {
      ArrayNode names = schema.putArray("required");
      // In the order of the properties.
      schema.path("properties").propertyNames().stream()
          .filter(required::contains)
          .forEach(names::add);
    }
  }

  private void describe(ObjectNode schema, Class<?> type, Set<String> required) {
    Map<String, String> meanings = comments.of(type.getName()).components();
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
        describe(schema, component.getType(), required);
      } else if (schema.path("properties").path(component.getName())
          instanceof ObjectNode property) {
        describe(property, component, meanings.get(component.getName()));
        if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
          required.add(component.getName());
        }
      }
    }
  }

  private static void describe(
      ObjectNode property, RecordComponent component, @Nullable String meaning) {
    if (meaning != null && !property.has("description")) {
      property.put("description", meaning);
    }
    LabelsOf labels = component.getAnnotation(LabelsOf.class);
    if (labels != null) {
      ObjectNode text = property.path("items") instanceof ObjectNode items ? items : property;
      ArrayNode values = text.putArray("enum");
      Arrays.stream(labels.value().getEnumConstants()).map(LabelsOf.Label::of).forEach(values::add);
    }
  }
}
