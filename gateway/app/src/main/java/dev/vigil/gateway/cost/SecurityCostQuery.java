package dev.vigil.gateway.cost;

import dev.vigil.border.cost.Configuration;
import dev.vigil.border.cost.Need;
import dev.vigil.border.cost.Scenario;
import dev.vigil.border.cost.Transport;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The query parameters of the cost model. */
record SecurityCostQuery(
    @Parameter(
            description = "octets for UDP before any security, 0 to 1000",
            schema = @Schema(type = "integer", format = "int32", defaultValue = "22"))
        @Nullable Integer payload,
    @Parameter(
            description = "receiver of the message",
            schema =
                @Schema(
                    allowableValues = {GATEWAY, HOST},
                    defaultValue = GATEWAY))
        @Nullable String peer,
    @Parameter(
            description = "from the mote to the gateway, 1 to 16",
            schema = @Schema(type = "integer", format = "int32", defaultValue = "1"))
        @Nullable Integer hops,
    @Parameter(
            description = "seconds from one message to the next, up to a week",
            schema = @Schema(type = "integer", format = "int64", defaultValue = "60"))
        @Nullable Long wake,
    @Parameter(
            description = "mAh of the mote's battery, 1 to 100000",
            schema = @Schema(type = "number", format = "double", defaultValue = "2000"))
        @Nullable Double battery,
    @Parameter(
            description = "link-layer security level, 0 to 3 or 5 to 7",
            schema = @Schema(type = "integer", format = "int32", defaultValue = "0"))
        @Nullable Integer level,
    @Parameter(
            description = "protection between the mote and its peer",
            schema =
                @Schema(
                    allowableValues = {
                      "none",
                      "ah-xcbc",
                      "ctr-xcbc",
                      "cbc-xcbc",
                      "ccm8",
                      "dtls-ccm8"
                    },
                    defaultValue = "none"))
        @Nullable String transport,
    @Parameter(
            description = "whether messages are compact signed updates",
            schema = @Schema(type = "boolean", defaultValue = "false"))
        @Nullable Boolean signed,
    @Parameter(
            description =
                "what messages need, separated by commas: confidential-on-air,"
                    + " confidential-end-to-end, authentic-on-air, authentic-end-to-end,"
                    + " authentic-to-anybody",
            schema = @Schema(type = "string", maxLength = 200))
        @Nullable String need) {
  private static final String GATEWAY = "gateway";
  private static final String HOST = "host";

  /**
   * The mote that the query describes.
   *
   * @throws ErrorResponseException 4.00
   */
  Scenario scenario() {
    String receiver = named("peer", List.of(GATEWAY, HOST), name -> name, or(peer, GATEWAY));
    try {
      return new Scenario(
          or(payload, 22), receiver.equals(HOST), or(hops, 1), or(wake, 60L), or(battery, 2000.0));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.INVALID_PARAMETER, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The configuration that the query describes.
   *
   * @throws ErrorResponseException 4.00
   */
  Configuration configuration() {
    int asked = or(level, 0);
    if (asked < 0
        || asked > SecurityLevel.ENC_MIC_128.ordinal()
        || asked == SecurityLevel.ENC.ordinal()) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          "level must be 0 to 3 or 5 to 7: frames of level 4 can be changed unnoticed");
    }
    return new Configuration(
        SecurityLevel.of(asked),
        named("transport", List.of(Transport.values()), Transport::label, or(transport, "none")),
        or(signed, false));
  }

  /**
   * The needs; none is allowed.
   *
   * @throws ErrorResponseException 4.00
   */
  Set<Need> needs() {
    Set<Need> needs = EnumSet.noneOf(Need.class);
    if (need != null && !need.isEmpty()) {
      for (String name : need.split(",", -1)) {
        needs.add(named("need", List.of(Need.values()), SecurityCostJson::label, name));
      }
    }
    return needs;
  }

  private static <T> T or(@Nullable T given, T otherwise) {
    return given == null ? otherwise : given;
  }

  private static <T> T named(
      String parameter, List<T> values, Function<T, String> label, String name) {
    return values.stream()
        .filter(value -> label.apply(value).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.INVALID_PARAMETER,
                    parameter
                        + " must be one of "
                        + values.stream().map(label).collect(Collectors.joining(", "))));
  }
}
