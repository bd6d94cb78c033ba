package dev.vigil.gateway.http;

import dev.vigil.gateway.problems.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;

/**
 * Answers requests that Tomcat refuses before any servlet, for instance a malformed path, with a
 * problem document instead of an HTML page. Tomcat instantiates it by its class name.
 */
public final class PlainErrorValve extends ErrorReportValve {
  private static final int FIRST_ERROR = 400;

  @Override
  protected void report(Request request, Response response, Throwable throwable) {
    if (response.getStatus() < FIRST_ERROR || !response.setErrorReported()) {
      return;
    }
    try {
      // Tomcat may have reset the response.
      SecurityHeaders.set(response.getCoyoteResponse());
      response.setContentType(Problem.MEDIA_TYPE);
      PrintWriter writer = response.getReporter();
      if (writer != null) {
        int status = response.getStatus();
        writer.write(new String(Problem.of(status, message(status)), StandardCharsets.UTF_8));
        response.finishResponse();
      }
    } catch (IOException e) {
      // The client has disconnected.
      response.getCoyoteResponse().setError();
    }
  }

  private static String message(int status) {
    return switch (status) {
      case HttpServletResponse.SC_NOT_FOUND -> "there is no such resource";
      case HttpServletResponse.SC_METHOD_NOT_ALLOWED -> "the method is not allowed";
      case HttpServletResponse.SC_NOT_IMPLEMENTED -> "the transfer coding is not supported";
      case HttpServletResponse.SC_HTTP_VERSION_NOT_SUPPORTED ->
          "the version of HTTP is not supported";
      default ->
          status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR
              ? "the request is malformed"
              : "internal error; see the gateway's log";
    };
  }
}
