package dev.vigil.gateway.cost;

import dev.vigil.border.cost.Configuration;
import dev.vigil.border.cost.Need;
import dev.vigil.border.cost.Scenario;
import dev.vigil.border.cost.SecurityCost;
import dev.vigil.border.cost.Transport;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.cost.SecurityCostJson.ConfigurationJson;
import dev.vigil.gateway.cost.SecurityCostJson.PayloadJson;
import dev.vigil.gateway.cost.SecurityCostJson.WakeJson;
import dev.vigil.gateway.http.HttpCallers;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Tells how much security costs a mote, by the model. */
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
  SecurityCostJson cost(
      HttpServletRequest request,
      @Parameter(description = "octets for UDP before any security, 0 to 1000")
          @RequestParam(defaultValue = "22")
          int payload,
      @Parameter(
              description = "who receives it",
              schema =
                  @Schema(
                      allowableValues = {"gateway", "host"},
                      defaultValue = "gateway"))
          @RequestParam(defaultValue = "gateway")
          String peer,
      @Parameter(description = "from the mote to the gateway, 1 to 16")
          @RequestParam(defaultValue = "1")
          int hops,
      @Parameter(description = "seconds from one message to the next, up to a week")
          @RequestParam(defaultValue = "60")
          long wake,
      @Parameter(description = "mAh of the mote's battery") @RequestParam(defaultValue = "2000")
          double battery,
      @Parameter(description = "link-layer security level, 0 to 3 or 5 to 7")
          @RequestParam(defaultValue = "0")
          int level,
      @Parameter(description = "none, ah-xcbc, ctr-xcbc, cbc-xcbc, ccm8 or dtls-ccm8")
          @RequestParam(defaultValue = "none")
          String transport,
      @RequestParam(defaultValue = "false") boolean signed,
      @Parameter(
              description = "what the messages need; repeat for several",
              array =
                  @ArraySchema(
                      schema =
                          @Schema(
                              allowableValues = {
                                "confidential-on-air",
                                "confidential-end-to-end",
                                "authentic-on-air",
                                "authentic-end-to-end",
                                "authentic-to-anybody"
                              })))
          @RequestParam(defaultValue = "")
          List<String> need) {
    access.require(HttpCallers.of(request), Access.Action.LOOK_UP, "");
    boolean toHost = named("peer", List.of("gateway", "host"), name -> name, peer).equals("host");
    Scenario scenario;
    try {
      scenario = new Scenario(payload, toHost, hops, wake, battery);
    } catch (IllegalArgumentException e) {
      throw new ErrorResponseException(Code.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
    Transport chosen = named("transport", List.of(Transport.values()), Transport::label, transport);
    Set<Need> needs = EnumSet.noneOf(Need.class);
    for (String name : need) {
      needs.add(named("need", List.of(Need.values()), SecurityCostJson::label, name));
    }
    return answer(scenario, new Configuration(level(level), chosen, signed), needs);
  }

  private static SecurityCostJson answer(Scenario scenario, Configuration chosen, Set<Need> needs) {
    List<ConfigurationJson> meeting =
        Configuration.all().stream()
            .filter(configuration -> configuration.meets().containsAll(needs))
            .map(configuration -> configuration(scenario, configuration))
            .sorted(Comparator.comparingDouble(ConfigurationJson::microjoules))
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

  private static ConfigurationJson configuration(Scenario scenario, Configuration configuration) {
    return ConfigurationJson.of(
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

  private static SecurityLevel level(int level) {
    if (level < 0 || level > SecurityLevel.ENC_MIC_128.ordinal() || level == 4) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST,
          "level must be 0 to 3 or 5 to 7: frames of level 4 can be changed unnoticed");
    }
    return SecurityLevel.of(level);
  }

  private static <T> T named(
      String parameter, List<T> values, Function<T, String> label, String name) {
    return values.stream()
        .filter(value -> label.apply(value).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ErrorResponseException(
                    Code.BAD_REQUEST,
                    parameter
                        + " must be one of "
                        + values.stream().map(label).collect(Collectors.joining(", "))));
  }
}
