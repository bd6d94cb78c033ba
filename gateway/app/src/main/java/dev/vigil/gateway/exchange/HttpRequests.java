package dev.vigil.gateway.exchange;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.gateway.api.RequestBodies;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts a servlet's request to a {@link Request}. Percent escapes are decoded after the path is
 * split, so that an escaped slash stays in its segment.
 */
final class HttpRequests {
  private HttpRequests() {}

  /**
   * @throws ErrorResponseException when the request is malformed or its body too large
   */
  static Request read(HttpServletRequest from, Caller caller, AcceptHeader accepted, int maxBody)
      throws IOException {
    byte[] body = RequestBodies.read(from, maxBody);
    return new Request(
        method(from.getMethod()),
        path(from.getRequestURI()),
        query(from.getQueryString()),
        format(from.getContentType(), body.length),
        body,
        accepted.formats(),
        true,
        caller,
        base(from));
  }

  private static Method method(String name) {
    return switch (name) {
      case "GET", "HEAD" -> Method.GET;
      case "POST" -> Method.POST;
      case "PUT" -> Method.PUT;
      case "DELETE" -> Method.DELETE;
      default ->
          throw new ProblemException(
              ProblemType.METHOD_NOT_ALLOWED, "only GET, HEAD, POST, PUT and DELETE");
    };
  }

  static List<String> path(String raw) {
    List<String> segments = new ArrayList<>();
    for (String segment : raw.substring(1).split("/", -1)) {
      String decoded = decode(segment);
      if (decoded.equals(".") || decoded.equals("..")) {
        throw new ProblemException(ProblemType.INVALID_REQUEST, "a path segment is malformed");
      }
      segments.add(decoded);
    }
    return segments;
  }

  static Query query(@Nullable String raw) {
    if (raw == null || raw.isEmpty()) {
      return Query.EMPTY;
    }
    List<Query.Parameter> parameters = new ArrayList<>();
    for (String part : raw.split("&")) {
      int equals = part.indexOf('=');
      String name = decode(equals < 0 ? part : part.substring(0, equals));
      if (name.isEmpty()) {
        throw new ProblemException(ProblemType.INVALID_PARAMETER, "a query parameter is malformed");
      }
      parameters.add(
          new Query.Parameter(name, equals < 0 ? "" : decode(part.substring(equals + 1))));
    }
    return new Query(parameters);
  }

  /** Decodes percent escapes; a plus stays a plus, as in CoAP's options (RFC 8075 section 5). */
  private static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream octets = new ByteArrayOutputStream(text.length());
    try {
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) == '%') {
          octets.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
          i += 2;
        } else {
          octets.writeBytes(text.substring(i, i + 1).getBytes(StandardCharsets.UTF_8));
        }
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(octets.toByteArray()))
          .toString();
    } catch (IllegalArgumentException | IndexOutOfBoundsException | CharacterCodingException e) {
      throw new ProblemException(ProblemType.INVALID_REQUEST, "a percent escape is malformed");
    }
  }

  private static @Nullable ContentFormat format(@Nullable String contentType, int octets) {
    if (contentType == null || contentType.isBlank()) {
      return null;
    }
    Optional<ContentFormat> format = ContentFormat.ofMediaType(contentType);
    if (format.isEmpty() && octets > 0) {
      throw new ProblemException(
          ProblemType.UNSUPPORTED_TYPE, printable(contentType) + " is not supported");
    }
    return format.orElse(null);
  }

  private static String printable(String contentType) {
    String line = contentType.replaceAll("[^ -~]", "?");
    return line.length() <= 80 ? line : line.substring(0, 80) + "...";
  }

  private static String base(HttpServletRequest from) {
    String host = from.getServerName();
    String bracketed = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    int port = from.getServerPort();
    boolean standard = port == (from.isSecure() ? 443 : 80);
    return from.getScheme() + "://" + bracketed + (standard ? "" : ":" + port);
  }
}
