package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.callers.HttpCallers;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the kinds of alarms, for clients that show alarms or edit rules. */
@RestController
class AlarmKindsController {
  private static final AlarmKindsJson KINDS =
      new AlarmKindsJson(AlarmKind.all().stream().map(AlarmKindJson::of).toList());

  private final AlarmRights rights;

  AlarmKindsController(AlarmRights rights) {
    this.rights = rights;
  }

  record AlarmKindsJson(List<AlarmKindJson> kinds) {}

  @Operation(
      operationId = "listAlarmKinds",
      summary = "The kinds of alarms: their limits, default rules and texts",
      description =
          "The text condition begins a clause that the limits of a rule complete. measure is the"
              + " unit of the limits. The list changes only when the gateway is updated.")
  @GetMapping("/api/alarm-kinds")
  AlarmKindsJson kinds(HttpServletRequest request) {
    rights.requireReader(HttpCallers.of(request));
    return KINDS;
  }
}
