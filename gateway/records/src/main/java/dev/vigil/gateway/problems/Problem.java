package dev.vigil.gateway.problems;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Problem documents (RFC 9457) for responses that do not come from a Spring controller. */
public final class Problem {
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Problem() {}

  /**
   * A problem of the general type of its status.
   *
   * @param detail the fault; empty if the status says everything
   */
  public static byte[] of(int status, String detail) {
    return of(ProblemType.ofStatus(status), status, detail);
  }

  /** A problem of a given type. */
  public static byte[] of(ProblemType type, int status, String detail) {
    @Nullable HttpStatus known = HttpStatus.resolve(status);
    ObjectNode problem =
        JSON.createObjectNode()
            .put("type", type.uri())
            .put("title", known == null ? "Error" : known.getReasonPhrase())
            .put("status", status);
    if (!detail.isEmpty()) {
      problem.put("detail", detail);
    }
    return problem.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Answers with a problem document. */
  public static void send(HttpServletResponse response, int status, String detail)
      throws IOException {
    send(response, ProblemType.ofStatus(status), status, detail);
  }

  public static void send(HttpServletResponse response, ProblemType type, int status, String detail)
      throws IOException {
    byte[] body = of(type, status, detail);
    response.setStatus(status);
    response.setContentType(MEDIA_TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
