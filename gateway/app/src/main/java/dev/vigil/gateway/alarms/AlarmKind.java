package dev.vigil.gateway.alarms;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The condition that a rule watches. */
enum AlarmKind {
  /** A trusted endpoint is silent for three wake intervals. */
  MISSING(true),
  /** A measured value is outside of limits. */
  VALUE(true),
  /** The charge or the voltage of a battery is low. */
  BATTERY(true),
  /** Requests of an endpoint, or of all endpoints together, are refused. */
  REJECTIONS(false),
  /** A radio does not work. */
  RADIO_LOST(false),
  /** Keys of a domain await a decision. */
  KEYS_WAITING(false),
  /** The store cannot write, or is slow. */
  STORE(false),
  /** The disk of the data folder is nearly full. */
  DISK(false),
  /** The system's clock was set. */
  CLOCK(false),
  /** The certificate of HTTPS expires soon. */
  CERTIFICATE(false),
  /** A destination of the settings does not take deliveries. */
  NORTHBOUND(false);

  private final boolean ofEndpoint;

  AlarmKind(boolean ofEndpoint) {
    this.ofEndpoint = ofEndpoint;
  }

  /** Whether it is decided for one endpoint from its own changes. */
  boolean isOfEndpoint() {
    return ofEndpoint;
  }

  /** Whether its alarms belong to domains; those of others are about the gateway itself. */
  boolean isOfDomain() {
    return ofEndpoint || this == KEYS_WAITING || this == REJECTIONS;
  }

  /** Lower case with hyphens. */
  @JsonValue
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * @throws IllegalArgumentException names all kinds
   */
  @JsonCreator
  static AlarmKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "takes one of "
                        + Arrays.stream(values())
                            .map(AlarmKind::label)
                            .collect(Collectors.joining(", "))));
  }
}
