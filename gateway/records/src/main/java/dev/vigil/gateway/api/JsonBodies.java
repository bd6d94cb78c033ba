package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/** Reads small JSON objects from request bodies and refuses unknown members. */
public final class JsonBodies {
  private static final int MAX_OCTETS = 16 << 10;

  /** Characters of a member's path that an answer repeats. */
  private static final int MAX_SHOWN = 100;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonBodies() {}

  /**
   * @param type a record whose missing members are null
   * @throws ErrorResponseException 4.00 with the name of the member, 4.13 when the body is too
   *     large
   */
  public static <T> T read(HttpServletRequest request, Class<T> type) throws IOException {
    return read(request, type, MAX_OCTETS);
  }

  /**
   * Same as {@link #read(HttpServletRequest, Class)} with another limit.
   *
   * @param max the maximum number of octets
   */
  public static <T> T read(HttpServletRequest request, Class<T> type, int max) throws IOException {
    byte[] body = RequestBodies.read(request, max);
    try {
      requireText(JSON.readTree(body));
      @Nullable T value = JSON.readValue(body, type);
      if (value != null) {
        return value;
      }
    } catch (UnrecognizedPropertyException e) {
      throw refused(
          "the body has an unknown member"
              + shown(pathOf(e))
              + ": it takes "
              + e.getKnownPropertyIds().stream()
                  .map(Object::toString)
                  .sorted()
                  .collect(Collectors.joining(", ")));
    } catch (DatabindException e) {
      String member = pathOf(e);
      if (e instanceof ValueInstantiationException
          && e.getCause() instanceof RuntimeException own) {
        // Our own types throw exceptions whose messages are meant for the client.
        throw refused("the member " + member + " of the body " + own.getMessage());
      }
      throw refused(
          member.isEmpty()
              ? "the body must be a JSON object"
              : "the member " + member + " of the body has the wrong type");
    } catch (JacksonException e) {
      throw refused("the body is not valid JSON");
    }
    throw refused("the body must be a JSON object");
  }

  /** The member at which a body is wrong, such as {@code conditions[1].above}; empty: the body. */
  private static String pathOf(DatabindException e) {
    StringBuilder path = new StringBuilder();
    for (DatabindException.Reference step : e.getPath()) {
      String name = step.getPropertyName();
      if (name == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(name);
      }
    }
    return path.toString();
  }

  /** A client chooses the name of an unknown member. */
  private static String shown(String path) {
    return path.length() > MAX_SHOWN ? "" : " " + path;
  }

  /** Applies {@link TextGrammar} to all names and strings. */
  private static void requireText(@Nullable JsonNode node) {
    if (node == null) {
      return;
    }
    if (node.isString() && !TextGrammar.isText(node.stringValue())) {
      throw refused("a string of the body " + TextGrammar.FAULT);
    }
    node.propertyNames()
        .forEach(
            name -> {
              if (!TextGrammar.isText(name)) {
                throw refused("a name in the body " + TextGrammar.FAULT);
              }
            });
    node.forEach(JsonBodies::requireText);
  }

  /**
   * Returns a required member.
   *
   * @throws ErrorResponseException 4.00 when the member is missing
   */
  public static <T> T required(@Nullable T value, String member) {
    if (value == null) {
      throw refused("the member " + member + " is missing");
    }
    return value;
  }

  /**
   * The items of a bulk request.
   *
   * @throws ErrorResponseException 4.00 when the list is missing or too long, or an item is null
   */
  public static <T> List<T> items(@Nullable List<T> items, String member) {
    List<T> present = required(items, member);
    if (present.size() > ItemOutcome.MAX_ITEMS || present.stream().anyMatch(Objects::isNull)) {
      throw refused(
          member + ": must have at most " + ItemOutcome.MAX_ITEMS + " items, and none may be null");
    }
    return present;
  }

  private static ProblemException refused(String why) {
    return new ProblemException(ProblemType.INVALID_BODY, why);
  }
}
