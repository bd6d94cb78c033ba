package dev.vigil.gateway.cost;

import dev.vigil.border.cost.Configuration;
import dev.vigil.border.cost.Need;
import dev.vigil.border.cost.Scenario;
import dev.vigil.border.cost.SecurityCost;
import dev.vigil.border.cost.Transport;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.coap.exchange.Access;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.cost.SecurityCostJson.PayloadJson;
import dev.vigil.gateway.cost.SecurityCostJson.SecurityChoiceJson;
import dev.vigil.gateway.cost.SecurityCostJson.WakeJson;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Computes what security costs a mote, by the cost model. */
@RestController
class SecurityCostController {
  private static final SecurityCost MODEL = SecurityCost.DEFAULT;
  private static final Configuration PLAIN =
      new Configuration(SecurityLevel.NONE, Transport.NONE, false);
  private static final int PAYLOAD_STEP = 8;
  private static final int PAYLOAD_END = 256;
  private static final long[] INTERVALS = {1, 10, 60, 300, 900, 3600, 21_600, 86_400};

  private final Access access;

  SecurityCostController(Access access) {
    this.access = access;
  }

  @Operation(
      operationId = "getSecurityCost",
      summary = "What security costs a mote: octets, energy, latency, battery life",
      description =
          "Octets are counted on frames of the gateway's own codecs; energy and time are a model of"
              + " a Tmote Sky. Acknowledgements and listening are not counted.")
  @GetMapping("/api/security-cost")
  SecurityCostJson cost(HttpServletRequest request, SecurityCostQuery query) {
    access.require(HttpCallers.of(request), Access.Action.LOOK_UP, "");
    return answer(query.scenario(), query.configuration(), query.needs());
  }

  private static SecurityCostJson answer(Scenario scenario, Configuration chosen, Set<Need> needs) {
    List<SecurityChoiceJson> meeting =
        Configuration.all().stream()
            .filter(configuration -> configuration.meets().containsAll(needs))
            .map(configuration -> configuration(scenario, configuration))
            .sorted(Comparator.comparingDouble(SecurityChoiceJson::microjoules))
            .toList();
    return new SecurityCostJson(
        configuration(scenario, chosen),
        meeting.isEmpty() ? null : meeting.getFirst(),
        meeting,
        IntStream.rangeClosed(0, PAYLOAD_END / PAYLOAD_STEP)
            .mapToObj(step -> payload(scenario, step * PAYLOAD_STEP, chosen))
            .toList(),
        LongStream.of(INTERVALS).mapToObj(seconds -> wake(scenario, seconds, chosen)).toList());
  }

  private static SecurityChoiceJson configuration(Scenario scenario, Configuration configuration) {
    return SecurityChoiceJson.of(
        new SecurityCost.Choice(configuration, MODEL.of(scenario, configuration)));
  }

  private static PayloadJson payload(Scenario scenario, int payload, Configuration chosen) {
    Scenario other =
        new Scenario(
            payload,
            scenario.toHost(),
            scenario.hops(),
            scenario.wakeSeconds(),
            scenario.milliampHours());
    return new PayloadJson(
        payload, MODEL.of(other, PLAIN).microjoules(), MODEL.of(other, chosen).microjoules());
  }

  private static WakeJson wake(Scenario scenario, long seconds, Configuration chosen) {
    Scenario other =
        new Scenario(
            scenario.payload(),
            scenario.toHost(),
            scenario.hops(),
            seconds,
            scenario.milliampHours());
    return new WakeJson(
        seconds, MODEL.of(other, PLAIN).batteryDays(), MODEL.of(other, chosen).batteryDays());
  }
}
