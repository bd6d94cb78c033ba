package dev.vigil.gateway.alarms;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.register.Alarm;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.silences.Silence;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets operators silence alarms for a while. */
@RestController
class SilencesController {
  private static final long MAX_SECONDS = 31 * 86_400;
  private static final int MAX_NOTE = 500;
  private static final int RADIX = 36;

  private final Silences silences;
  private final AlarmRegister register;
  private final AlarmRights rights;
  private final Clock clock;
  private final SecureRandom random;

  SilencesController(
      Silences silences,
      AlarmRegister register,
      AlarmRights rights,
      Clock clock,
      SecureRandom random) {
    this.silences = silences;
    this.register = register;
    this.rights = rights;
    this.clock = clock;
    this.random = random;
  }

  record SilencesJson(List<SilenceJson> silences) {}

  /** An absent member matches every alarm. */
  record SilenceJson(
      String id,
      @Nullable String rule,
      @Nullable String d,
      @Nullable String ep,
      Instant until,
      String by,
      String note) {
    static SilenceJson of(String id, Silence silence) {
      return new SilenceJson(
          id,
          silence.rule(),
          silence.d(),
          silence.ep(),
          silence.until(),
          silence.by(),
          silence.note());
    }
  }

  /**
   * @param seconds how long: 1 to 2678400 (31 days)
   * @param scope endpoint, rule or domain: which alarms are silenced together with this one
   */
  record SilenceRequest(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED, minimum = "1", maximum = "2678400")
          @Nullable Long seconds,
      @Schema(allowableValues = {"endpoint", "rule", "domain"}) @Nullable String scope,
      @Nullable String note) {}

  @Operation(
      operationId = "silenceAlarm",
      summary = "Silences an alarm and similar alarms for a while",
      description =
          "scope selects the similar alarms: endpoint (default; all alarms of its endpoint),"
              + " rule (all alarms of its rule), domain (all alarms of its domain). Silenced"
              + " alarms are listed, but neither logged nor delivered.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = SilenceRequest.class))))
  @PostMapping("/api/alarms/{id}/silence")
  @ResponseStatus(HttpStatus.CREATED)
  SilenceJson silence(HttpServletRequest request, @PathVariable String id) throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    Alarm alarm =
        register
            .get(id)
            .map(Versioned::value)
            .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "no alarm has this id"));
    rights.requireOperator(caller, alarm.subject().d());
    SilenceRequest wanted = JsonBodies.read(request, SilenceRequest.class);
    Silence silence = silence(alarm, wanted, caller);
    if (silence.d() == null) {
      // A silence without a domain concerns alarms of all domains.
      rights.requireOperator(caller, null);
    }
    String silenceId = Long.toString(random.nextLong() >>> 1, RADIX);
    FutureResults.of(silences.put(silenceId, silence)).require("silence");
    return SilenceJson.of(silenceId, silence);
  }

  private Silence silence(Alarm alarm, SilenceRequest wanted, Caller caller) {
    Long seconds = wanted.seconds();
    if (seconds == null || seconds < 1 || seconds > MAX_SECONDS) {
      throw refused("seconds: takes 1 to " + MAX_SECONDS);
    }
    String note = wanted.note() == null ? "" : wanted.note().strip();
    if (note.length() > MAX_NOTE) {
      throw refused("note: has more than " + MAX_NOTE + " characters");
    }
    Instant until = clock.instant().plusSeconds(seconds);
    Subject subject = alarm.subject();
    String scope = wanted.scope() == null ? "endpoint" : wanted.scope();
    return switch (scope) {
      case "endpoint" -> {
        if (subject.ep() == null) {
          throw refused("scope: the alarm is about no endpoint; use rule");
        }
        yield new Silence(null, subject.d(), subject.ep(), until, caller.label(), note);
      }
      case "rule" -> new Silence(alarm.rule(), null, null, until, caller.label(), note);
      case "domain" -> {
        if (subject.d() == null) {
          throw refused("scope: the alarm belongs to no domain; use rule");
        }
        yield new Silence(null, subject.d(), null, until, caller.label(), note);
      }
      default -> throw refused("scope: takes one of endpoint, rule, domain");
    };
  }

  private static ProblemException refused(String diagnostic) {
    return new ProblemException(ProblemType.INVALID_BODY, diagnostic);
  }

  @Operation(operationId = "listAlarmSilences", summary = "The silences that are in force")
  @GetMapping("/api/alarm-silences")
  SilencesJson silences(HttpServletRequest request) {
    AlarmRights.Sight sight = rights.sight(HttpCallers.of(request), null);
    return new SilencesJson(
        silences.present().stream()
            .filter(one -> sight.includes(one.value().d()))
            .map(one -> SilenceJson.of(one.id(), one.value()))
            .toList());
  }

  @Operation(operationId = "endAlarmSilence", summary = "Ends a silence")
  @DeleteMapping("/api/alarm-silences/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void end(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    Versioned<Silence> silence =
        silences
            .get(id)
            .orElseThrow(
                () -> new ProblemException(ProblemType.NOT_FOUND, "no silence has this id"));
    rights.requireOperator(caller, silence.value().d());
    FutureResults.of(silences.remove(silence, caller.label())).require("silence");
  }
}
