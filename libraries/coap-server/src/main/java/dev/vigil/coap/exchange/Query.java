package dev.vigil.coap.exchange;

import java.util.List;
import java.util.Optional;

/** The query of a request: its percent-decoded parameters in their original order. */
public record Query(List<Parameter> parameters) {
  public static final Query EMPTY = new Query(List.of());

  /** One {@code name=value}; a parameter without {@code =} has an empty value. */
  public record Parameter(String name, String value) {
    /** Reads the value of a CoAP Uri-Query option, which is not percent-encoded. */
    public static Parameter parse(String option) {
      int equals = option.indexOf('=');
      return equals < 0
          ? new Parameter(option, "")
          : new Parameter(option.substring(0, equals), option.substring(equals + 1));
    }
  }

  public Query {
    parameters = List.copyOf(parameters);
  }

  public boolean has(String name) {
    return first(name).isPresent();
  }

  public Optional<String> first(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name().equals(name)) {
        return Optional.of(parameter.value());
      }
    }
    return Optional.empty();
  }

  public List<String> all(String name) {
    return parameters.stream().filter(p -> p.name().equals(name)).map(Parameter::value).toList();
  }

  /**
   * Returns the value of a parameter that must not be repeated.
   *
   * @throws ErrorResponseException 4.00 if it is repeated
   */
  public Optional<String> single(String name) {
    Optional<String> value = Optional.empty();
    for (Parameter parameter : parameters) {
      if (parameter.name().equals(name)) {
        if (value.isPresent()) {
          throw new ErrorResponseException(
              Code.BAD_REQUEST, "query parameter " + name + " is repeated");
        }
        value = Optional.of(parameter.value());
      }
    }
    return value;
  }
}
