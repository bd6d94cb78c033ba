package dev.vigil.gateway.system;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.IndicatedHealthDescriptor;
import org.springframework.stereotype.Component;

/** The health of the gateway and of its parts, as {@code /actuator/health} aggregates it. */
@Component
class HealthParts {
  private static final String SUFFIX = "Health";

  /** Always up: the answer itself proves it. */
  private static final String PING = "ping";

  private final HealthEndpoint health;

  HealthParts(HealthEndpoint health) {
    this.health = health;
  }

  /**
   * @param name of the part, for instance store
   * @param status UP, DEGRADED, RADIO_LOST, DOWN, OUT_OF_SERVICE or UNKNOWN
   * @param details details of the part, by name
   */
  record PartJson(String name, String status, Map<String, String> details) {}

  /** The status of the whole, and the parts in the order of their names. */
  record Health(String status, List<PartJson> parts) {}

  Health read() {
    HealthDescriptor whole = health.health();
    List<PartJson> parts =
        components(whole).entrySet().stream()
            .filter(part -> !part.getKey().equals(PING))
            .flatMap(part -> parts(name(part.getKey()), part.getValue()))
            .sorted(Comparator.comparing(PartJson::name))
            .toList();
    return new Health(whole.getStatus().getCode(), parts);
  }

  private static Stream<PartJson> parts(String name, HealthDescriptor health) {
    if (health instanceof CompositeHealthDescriptor) {
      return components(health).entrySet().stream()
          .flatMap(part -> parts(name + "." + name(part.getKey()), part.getValue()));
    }
    Map<String, String> details = new TreeMap<>();
    if (health instanceof IndicatedHealthDescriptor indicated && indicated.getDetails() != null) {
      indicated.getDetails().forEach((key, value) -> details.put(key, String.valueOf(value)));
    }
    return Stream.of(new PartJson(name, health.getStatus().getCode(), details));
  }

  private static Map<String, HealthDescriptor> components(HealthDescriptor health) {
    Map<String, HealthDescriptor> components =
        health instanceof CompositeHealthDescriptor composite ? composite.getComponents() : null;
    return components == null ? Map.of() : components;
  }

  private static String name(String bean) {
    return bean.endsWith(SUFFIX) ? bean.substring(0, bean.length() - SUFFIX.length()) : bean;
  }
}
