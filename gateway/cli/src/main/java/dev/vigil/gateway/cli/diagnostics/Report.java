package dev.vigil.gateway.cli.diagnostics;

import dev.vigil.gateway.cli.diagnostics.RemoteGateway.Answer;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answers of a gateway and the findings in them.
 *
 * @param health the health of the group readiness, as JSON
 * @param info the build information, as JSON; empty when the request was refused
 * @param metrics empty when the request was refused
 */
record Report(String health, String info, String metrics, List<Finding> findings) {
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int MISDIRECTED = 421;
  private static final int UNAVAILABLE = 503;
  private static final Pattern STATUS = Pattern.compile("\"status\":\"(\\w+)\"");
  private static final Pattern VERSION = Pattern.compile("\"version\":\"([^\"]*)\"");
  private static final Pattern NUMBER = Pattern.compile("\"number\":\"([^\"]*)\"");

  /**
   * @throws IOException with a one-line message when there is no report
   */
  static Report of(RemoteGateway gateway, Clock clock) throws IOException {
    List<Finding> findings = new ArrayList<>();
    Answer readiness = gateway.get("/actuator/health/readiness");
    Matcher status = STATUS.matcher(readiness.body());
    switch (readiness.status()) {
      case OK, UNAVAILABLE -> {
        String code = status.find() ? status.group(1) : "unknown";
        findings.add(
            readiness.status() == OK ? readinessOf(code) : Finding.wrong("not ready: " + code));
      }
      case MISDIRECTED ->
          throw new IOException(
              "the gateway does not answer to this host name: use one of its IP addresses, or add the"
                  + " name to vigil.http.allowed-hosts");
      case NOT_FOUND ->
          throw new IOException("there is a web server, but it is not a Vigil gateway");
      default -> throw new IOException("health was answered with " + readiness.status());
    }
    String info = body(gateway.get("/actuator/info"));
    Answer answered = gateway.get("/actuator/prometheus");
    String metrics = body(answered);
    if (answered.status() == UNAUTHORIZED) {
      findings.add(
          Finding.warn(
              "the metrics were refused: from another machine they need --token-file with"
                  + " vigil.metrics.token"));
    } else if (answered.status() != OK) {
      findings.add(Finding.warn("the metrics were answered with " + answered.status()));
    } else {
      findings.add(Finding.ok(build(info)));
      findings.addAll(Examination.of(new MetricsText(metrics), clock));
    }
    return new Report(readiness.body(), info, metrics, List.copyOf(findings));
  }

  private static Finding readinessOf(String code) {
    return code.equals("UP") ? Finding.ok("ready") : Finding.warn("ready, but " + code);
  }

  private static String body(Answer answer) {
    return answer.status() == OK ? answer.body() : "";
  }

  private static String build(String info) {
    return "Vigil %s, build %s".formatted(first(VERSION, info), first(NUMBER, info));
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? found.group(1) : "unknown";
  }
}
