package dev.vigil.gateway.exchange;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Response;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.Problem;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a {@link Response} as a servlet's response (RFC 8075 section 7). */
final class HttpResponses {
  private static final String ANY_TAG = "*";
  private static final int FIRST_ERROR = 400;

  private HttpResponses() {}

  /** Writes an answer; an error gets the problem type of its reason, otherwise that of its code. */
  static void write(Response response, HttpServletRequest request, HttpServletResponse to)
      throws IOException {
    ErrorResponseException refusal = response.refusal();
    ProblemType type =
        refusal == null
            ? ProblemType.ofStatus(response.code().httpStatus())
            : ProblemType.of(refusal);
    EntityTag tag = response.tag();
    boolean unchanged =
        tag != null
            && response.code() == Code.CONTENT
            && matches(request.getHeader("If-None-Match"), tag.http());
    boolean problem = isProblem(response);
    byte[] body =
        problem
            ? Problem.of(
                type,
                response.code().httpStatus(),
                new String(response.payload(), StandardCharsets.UTF_8))
            : response.payload();
    to.setStatus(unchanged ? Code.VALID.httpStatus() : status(response.code(), body.length));
    if (tag != null) {
      to.setHeader("ETag", tag.http());
    }
    setCaching(response, request, to);
    if (!response.location().isEmpty()) {
      to.setHeader("Location", path(response));
    }
    if (response.code() == Code.UNAUTHORIZED) {
      to.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
    }
    if (response.code() == Code.METHOD_NOT_ALLOWED) {
      to.setHeader("Allow", AllowedMethods.at(request.getRequestURI()));
    }
    if (unchanged || to.getStatus() == HttpServletResponse.SC_NO_CONTENT) {
      return;
    }
    if (body.length > 0 || response.format() != null) {
      to.setContentType(problem ? Problem.MEDIA_TYPE : mediaType(response));
    }
    to.setContentLength(body.length);
    if (!request.getMethod().equals("HEAD")) {
      to.getOutputStream().write(body);
    }
  }

  /**
   * Whether a response is an error without a body or in plain text, which becomes a problem
   * document (RFC 9457).
   */
  private static boolean isProblem(Response response) {
    return response.code().httpStatus() >= FIRST_ERROR
        && (response.format() == null || response.format() == ContentFormat.TEXT);
  }

  /** 2.04 and 2.02 become 204 without a body and 200 with one. */
  private static int status(Code code, int octets) {
    int status = code.httpStatus();
    return status == HttpServletResponse.SC_NO_CONTENT && octets > 0
        ? HttpServletResponse.SC_OK
        : status;
  }

  /**
   * An answer to a caller with rights is private: RFC 9111 section 3.5 keeps shared caches from
   * storing only answers to requests with {@code Authorization}, not those with a cookie.
   */
  private static void setCaching(
      Response response, HttpServletRequest request, HttpServletResponse to) {
    boolean hasMaxAge = response.maxAge() != Response.NO_MAX_AGE;
    switch (response.code()) {
      case CONTENT, VALID -> {
        to.setHeader("Vary", "Accept");
        String caches =
            HttpCallers.of(request).identity() instanceof Caller.Anonymous ? "" : "private, ";
        to.setHeader(
            "Cache-Control", caches + (hasMaxAge ? "max-age=" + response.maxAge() : "no-cache"));
      }
      case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE -> {
        to.setHeader("Cache-Control", "no-store");
        if (hasMaxAge) {
          to.setHeader("Retry-After", Long.toString(response.maxAge()));
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

  private static String mediaType(Response response) {
    ContentFormat format = response.format();
    return (format == null ? ContentFormat.TEXT : format).mediaType();
  }

  private static String path(Response response) {
    return response.location().stream()
        .map(s -> "/" + URLEncoder.encode(s, StandardCharsets.UTF_8).replace("+", "%20"))
        .collect(Collectors.joining());
  }

  /** The weak comparison of RFC 9110 section 13.1.2. */
  private static boolean matches(@Nullable String header, String tag) {
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
