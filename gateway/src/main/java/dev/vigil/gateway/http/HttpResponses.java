package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Response;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** From our response to a servlet's (RFC 8075 section 7). */
final class HttpResponses {
  private static final String ANY_TAG = "*";

  private HttpResponses() {}

  static void write(Response answer, HttpServletRequest request, HttpServletResponse to)
      throws IOException {
    EntityTag tag = answer.tag();
    boolean known =
        tag != null
            && answer.code() == Code.CONTENT
            && knows(request.getHeader("If-None-Match"), tag.http());
    byte[] body = answer.payload();
    to.setStatus(known ? Code.VALID.httpStatus() : status(answer.code(), body.length));
    if (tag != null) {
      to.setHeader("ETag", tag.http());
    }
    cache(answer, to);
    if (!answer.location().isEmpty()) {
      to.setHeader("Location", path(answer));
    }
    if (answer.code() == Code.UNAUTHORIZED) {
      to.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
    }
    if (answer.code() == Code.METHOD_NOT_ALLOWED) {
      to.setHeader("Allow", Allowed.at(request.getRequestURI()));
    }
    if (known || to.getStatus() == HttpServletResponse.SC_NO_CONTENT) {
      return;
    }
    if (body.length > 0 || answer.format() != null) {
      to.setContentType(mediaType(answer));
    }
    to.setContentLength(body.length);
    if (!request.getMethod().equals("HEAD")) {
      to.getOutputStream().write(body);
    }
  }

  /** 2.04 and 2.02 are 204 without a body and 200 with one. */
  private static int status(Code code, int octets) {
    int status = code.httpStatus();
    return status == HttpServletResponse.SC_NO_CONTENT && octets > 0
        ? HttpServletResponse.SC_OK
        : status;
  }

  private static void cache(Response answer, HttpServletResponse to) {
    boolean fresh = answer.maxAge() != Response.NO_MAX_AGE;
    switch (answer.code()) {
      case CONTENT, VALID -> {
        to.setHeader("Vary", "Accept");
        to.setHeader("Cache-Control", fresh ? "max-age=" + answer.maxAge() : "no-cache");
      }
      case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE -> {
        to.setHeader("Cache-Control", "no-store");
        if (fresh) {
          to.setHeader("Retry-After", Long.toString(answer.maxAge()));
        }
      }
      case CREATED,
          DELETED,
          CHANGED,
          BAD_REQUEST,
          UNAUTHORIZED,
          BAD_OPTION,
          FORBIDDEN,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          NOT_ACCEPTABLE,
          CONFLICT,
          PRECONDITION_FAILED,
          REQUEST_ENTITY_TOO_LARGE,
          UNSUPPORTED_CONTENT_FORMAT,
          INTERNAL_SERVER_ERROR,
          NOT_IMPLEMENTED ->
          to.setHeader("Cache-Control", "no-store");
    }
  }

  private static String mediaType(Response answer) {
    ContentFormat format = answer.format();
    return (format == null ? ContentFormat.TEXT : format).mediaType();
  }

  private static String path(Response answer) {
    return answer.location().stream()
        .map(s -> "/" + URLEncoder.encode(s, StandardCharsets.UTF_8).replace("+", "%20"))
        .collect(Collectors.joining());
  }

  /** The weak comparison of RFC 9110 section 13.1.2. */
  private static boolean knows(@Nullable String header, String tag) {
    if (header == null) {
      return false;
    }
    for (String one : header.split(",")) {
      String bare = one.strip();
      if (bare.equals(ANY_TAG) || bare.equals(tag) || bare.equals("W/" + tag)) {
        return true;
      }
    }
    return false;
  }
}
