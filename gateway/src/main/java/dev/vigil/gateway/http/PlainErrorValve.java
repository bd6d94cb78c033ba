package dev.vigil.gateway.http;

import java.io.IOException;
import java.io.PrintWriter;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;

/**
 * Answers what Tomcat refuses before any servlet sees it, a malformed path for instance, with one
 * line of text instead of a page. Tomcat makes it by its name.
 */
public final class PlainErrorValve extends ErrorReportValve {
  private static final int FIRST_ERROR = 400;

  @Override
  protected void report(Request request, Response response, Throwable throwable) {
    if (response.getStatus() < FIRST_ERROR || !response.setErrorReported()) {
      return;
    }
    try {
      response.setContentType("text/plain;charset=utf-8");
      PrintWriter writer = response.getReporter();
      if (writer != null) {
        writer.write(
            response.getStatus() < 500
                ? "the request is malformed"
                : "internal error; see the gateway's log");
        response.finishResponse();
      }
    } catch (IOException e) {
      // The client has gone.
      response.getCoyoteResponse().setError();
    }
  }
}
