package dev.vigil.gateway.northbound.template;

import dev.vigil.signed.json.JsonWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** The form in which values are written, so that no value can change the structure of a body. */
enum Escaping {
  JSON,
  FORM,
  PLAIN;

  /** The escaping of a content type; empty: values of unknown origin cannot be written safely. */
  static Optional<Escaping> of(String contentType) {
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (type.equals("application/json") || type.matches("application/[a-z0-9.-]+\\+json")) {
      return Optional.of(JSON);
    }
    return switch (type) {
      case "application/x-www-form-urlencoded" -> Optional.of(FORM);
      case "text/plain" -> Optional.of(PLAIN);
      default -> Optional.empty();
    };
  }

  String escaped(String value) {
    return switch (this) {
      case JSON -> {
        String quoted = new JsonWriter().string(value).toString();
        yield quoted.substring(1, quoted.length() - 1);
      }
      case FORM -> URLEncoder.encode(value, StandardCharsets.UTF_8);
      case PLAIN -> value;
    };
  }
}
