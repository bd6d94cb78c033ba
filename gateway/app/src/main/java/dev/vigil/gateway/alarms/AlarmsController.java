package dev.vigil.gateway.alarms;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.alarms.register.Alarm;
import dev.vigil.gateway.alarms.register.AlarmJson;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.Page;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists alarms, and lets operators acknowledge them. */
@RestController
class AlarmsController {
  private static final int MAX_LIMIT = 1000;
  private static final int MAX_NOTE = 500;
  private static final List<String> STATES = List.of("open", "active", "acknowledged", "cleared");

  private final AlarmRegister register;
  private final AlarmRights rights;
  private final Clock clock;
  private final SearchLimiter limiter;

  AlarmsController(AlarmRegister register, AlarmRights rights, Clock clock, SearchLimiter limiter) {
    this.register = register;
    this.rights = rights;
    this.clock = clock;
    this.limiter = limiter;
  }

  /**
   * @param refused attempts to raise an alarm that failed because too many were open, since the
   *     start
   * @param next the {@code after} of the next page; absent at the end
   */
  record AlarmsJson(List<AlarmJson> alarms, long refused, @Nullable String next) {}

  /**
   * @param note for other operators; may be absent
   */
  record NoteJson(@Nullable String note) {}

  @Operation(
      operationId = "listAlarms",
      summary = "Alarms, newest first",
      description =
          "text is searched for in the texts of alarms. Only operators of all domains see"
              + " alarms of the gateway itself.")
  @GetMapping("/api/alarms")
  AlarmsJson alarms(
      HttpServletRequest request,
      @Parameter(
              description = "open: active or acknowledged",
              schema = @Schema(allowableValues = {"open", "active", "acknowledged", "cleared"}))
          @RequestParam
          @Nullable String state,
      @Parameter(
              description = "only alarms of this severity",
              schema = @Schema(allowableValues = {"info", "warning", "critical"}))
          @RequestParam
          @Nullable String severity,
      @Parameter(
              description = "only alarms of this kind",
              schema = @Schema(implementation = AlarmKind.class))
          @RequestParam
          @Nullable String kind,
      @Parameter(description = "only alarms of the rule with this id") @RequestParam
          @Nullable String rule,
      @RequestParam @Nullable String d,
      @RequestParam @Nullable String ep,
      @RequestParam @Nullable String text,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    String domain = d == null ? null : DomainNames.named(d);
    Caller caller = HttpCallers.of(request);
    AlarmRights.Sight sight = rights.sight(caller, domain);
    Predicate<Alarm> wanted =
        state(state)
            .and(equal("severity", severity, Severity::of, Alarm::severity))
            .and(equal("kind", kind, AlarmKind::of, Alarm::kind))
            .and(alarm -> rule == null || rule.equals(alarm.rule()))
            .and(alarm -> domain == null || domain.equals(alarm.subject().d()))
            .and(alarm -> ep == null || ep.equals(alarm.subject().ep()))
            .and(alarm -> text == null || contains(alarm, text))
            .and(alarm -> sight.includes(alarm.subject().d()));
    int size = PageCursor.limit(limit, MAX_LIMIT);
    String before = after == null ? null : PageCursor.read(after, 1).getFirst();
    Page<Versioned<Alarm>> page =
        limiter.search(
            caller,
            () ->
                Page.of(
                    register.newestFirst(before).filter(alarm -> wanted.test(alarm.value())),
                    size,
                    alarm -> PageCursor.of(alarm.id())));
    return new AlarmsJson(
        page.items().stream().map(this::json).toList(), register.refused(), page.next());
  }

  private static boolean contains(Alarm alarm, String part) {
    String lowerCase = part.toLowerCase(Locale.ROOT);
    return alarm.texts().english().toLowerCase(Locale.ROOT).contains(lowerCase)
        || alarm.texts().german().toLowerCase(Locale.ROOT).contains(lowerCase);
  }

  private static Predicate<Alarm> state(@Nullable String state) {
    if (state != null && !STATES.contains(state)) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "state: takes one of " + String.join(", ", STATES));
    }
    return alarm ->
        state == null || state.equals("open") && !alarm.isCleared() || state.equals(alarm.state());
  }

  private static <T> Predicate<Alarm> equal(
      String parameter, @Nullable String given, Function<String, T> parse, Function<Alarm, T> of) {
    if (given == null) {
      return alarm -> true;
    }
    try {
      T wanted = parse.apply(given);
      return alarm -> of.apply(alarm).equals(wanted);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.INVALID_PARAMETER, parameter + ": " + e.getMessage());
    }
  }

  private AlarmJson json(Versioned<Alarm> alarm) {
    return AlarmJson.of(alarm, register.isSilenced(alarm.value()));
  }

  @Operation(operationId = "getAlarm", summary = "One alarm")
  @GetMapping("/api/alarms/{id}")
  AlarmJson alarm(HttpServletRequest request, @PathVariable String id) {
    AlarmRights.Sight sight = rights.sight(HttpCallers.of(request), null);
    return register
        .get(id)
        .filter(alarm -> sight.includes(alarm.value().subject().d()))
        .map(this::json)
        .orElseThrow(AlarmsController::unknown);
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "no alarm has this id");
  }

  @Operation(
      operationId = "acknowledgeAlarm",
      summary = "Acknowledges an alarm: somebody attends to it",
      description =
          "It stays open until its condition is over. note is at most 500 characters. A second"
              + " acknowledgement replaces the first one's note.",
      requestBody =
          @RequestBody(
              required = false,
              content =
                  @Content(
                      mediaType = "application/json",
                      schema = @Schema(implementation = NoteJson.class))))
  @PostMapping("/api/alarms/{id}/acknowledge")
  AlarmJson acknowledge(HttpServletRequest request, @PathVariable String id) throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    Alarm alarm = register.get(id).orElseThrow(AlarmsController::unknown).value();
    rights.requireOperator(caller, alarm.subject().d());
    String note = note(request);
    String d = alarm.subject().d();
    Audit audit = new Audit(caller.label(), "acknowledged alarm " + id, d == null ? "" : d);
    Alarm.Acknowledgement by = new Alarm.Acknowledgement(caller.label(), clock.instant(), note);
    FutureResults.of(register.update(id, present -> present.acknowledgedBy(by), audit))
        .require("alarm");
    return json(register.get(id).orElseThrow(AlarmsController::unknown));
  }

  private static String note(HttpServletRequest request) throws IOException {
    if (request.getContentLengthLong() == 0 || request.getContentType() == null) {
      return "";
    }
    String note = JsonBodies.read(request, NoteJson.class).note();
    if (note != null && note.length() > MAX_NOTE) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, "note: has more than " + MAX_NOTE + " characters");
    }
    return note == null ? "" : note.strip();
  }
}
