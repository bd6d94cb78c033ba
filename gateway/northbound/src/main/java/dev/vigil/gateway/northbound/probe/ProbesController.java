package dev.vigil.gateway.northbound.probe;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.limits.RateLimiter;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets administrators test a destination. */
@RestController
class ProbesController {
  /** Of each destination. */
  private static final Rate PROBES = Rate.perMinute(6);

  private final List<DestinationSource> sources;
  private final RecordSet<DestinationProbe> probes;
  private final RateLimiter<String> rates;
  private final Access access;
  private final Clock clock;

  ProbesController(List<DestinationSource> sources, Records records, Access access, Clock clock) {
    this.sources = sources;
    this.probes = records.of("destination-probe", DestinationProbe.class);
    this.rates = new RateLimiter<>(clock);
    this.access = access;
    this.clock = clock;
  }

  /**
   * @param accepted whether the other side took the message
   * @param answer of the other side, one line without secrets; or the reason why there is none
   */
  record DestinationTestJson(boolean accepted, String answer) {}

  @Operation(
      operationId = "testDestination",
      summary = "Sends one message that is marked as a test, and waits for the answer",
      description =
          "The name is that of /api/northbound, such as webhook:shop. An answer that refuses the"
              + " message is a result too. At most six tests of a destination are sent in a minute.")
  @PostMapping("/api/northbound/{name}/test")
  DestinationTestJson test(HttpServletRequest request, @PathVariable String name)
      throws InterruptedException {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, Access.EVERY_DOMAIN);
    Probe probe =
        destination(name)
            .probe()
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.NOT_IMPLEMENTED, "this kind of destination has no test"));
    requireRate(name);
    Probe.Answer answer;
    try {
      answer = probe.send(clock.instant());
    } catch (IOException e) {
      String reason = e.getMessage();
      answer = new Probe.Answer(false, reason == null ? e.getClass().getSimpleName() : reason);
    }
    Audit audit =
        Audit.of(caller, "tested " + name + (answer.accepted() ? ": accepted" : ": refused"));
    DestinationProbe sent = new DestinationProbe(answer.accepted(), answer.text());
    FutureResults.of(probes.put(name, sent, OptionalLong.empty(), audit)).require("test");
    return new DestinationTestJson(answer.accepted(), answer.text());
  }

  private Destination destination(String name) {
    return sources.stream()
        .flatMap(source -> source.all().stream())
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.NOT_FOUND, "the settings name no such destination"));
  }

  private void requireRate(String name) {
    long seconds = rates.take(name, PROBES);
    if (seconds > 0) {
      throw new ProblemException(
          ProblemType.TOO_MANY_REQUESTS, "this destination was tested often; try again", seconds);
    }
  }
}
