package dev.vigil.gateway.http;

import java.io.IOException;
import java.io.PrintWriter;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;

/**
 * Answers requests that Tomcat refuses before any servlet, for instance a malformed path, with one
 * line of text instead of an HTML page. Tomcat instantiates it by its class name.
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
      // The client has disconnected.
      response.getCoyoteResponse().setError();
    }
  }
}
