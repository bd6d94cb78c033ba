package dev.vigil.directory.exchange;

import java.util.List;
import java.util.Optional;

/** The query of a request: its parameters in the order they came, percent-decoded. */
public record Query(List<Parameter> parameters) {
  public static final Query EMPTY = new Query(List.of());

  /** One {@code name=value}; a parameter without {@code =} has an empty value. */
  public record Parameter(String name, String value) {
    /** From a CoAP Uri-Query option (already decoded). */
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
   * The value of a parameter that may stand at most once.
   *
   * @throws ExchangeException 4.00 when it stands more than once
   */
  public Optional<String> single(String name) {
    Optional<String> only = Optional.empty();
    for (Parameter parameter : parameters) {
      if (parameter.name().equals(name)) {
        if (only.isPresent()) {
          throw new ExchangeException(Code.BAD_REQUEST, "query parameter " + name + " is repeated");
        }
        only = Optional.of(parameter.value());
      }
    }
    return only;
  }
}
