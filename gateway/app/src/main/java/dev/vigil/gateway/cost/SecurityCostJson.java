package dev.vigil.gateway.cost;

import dev.vigil.border.cost.Configuration;
import dev.vigil.border.cost.Cost;
import dev.vigil.border.cost.Need;
import dev.vigil.border.cost.SecurityCost;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The cost of messages.
 *
 * @param chosen the requested configuration
 * @param cheapest the least energy that meets all needs; absent when no configuration does
 * @param configurations all that meet the needs, the cheapest first
 * @param byPayload for a plot: the same for other payloads
 * @param byWake for a plot: the same for other intervals
 */
record SecurityCostJson(
    SecurityChoiceJson chosen,
    @Nullable SecurityChoiceJson cheapest,
    List<SecurityChoiceJson> configurations,
    List<PayloadJson> byPayload,
    List<WakeJson> byWake) {
  /**
   * The cost of one message in a configuration.
   *
   * @param level of the link layer, 0 to 7
   * @param transport {@code none}, a profile of IPsec, or {@code dtls-ccm8}
   * @param signed whether the message is a compact signed update
   * @param meets the needs that it meets
   * @param octets on the air on all hops, PHY headers included
   * @param frames on all hops
   * @param fragments frames of the first hop
   * @param microjoules at the mote and at the routers
   * @param moteMicrojoules at the mote
   * @param latencySeconds until the gateway has the message
   * @param batteryDays of a mote that sleeps in between
   * @param alwaysOnDays of a mote that listens in between
   */
  record SecurityChoiceJson(
      int level,
      String transport,
      boolean signed,
      @ArraySchema(
              schema =
                  @Schema(
                      allowableValues = {
                        "confidential-on-air",
                        "confidential-end-to-end",
                        "authentic-on-air",
                        "authentic-end-to-end",
                        "authentic-to-anybody"
                      }))
          List<String> meets,
      int octets,
      int frames,
      int fragments,
      double microjoules,
      double moteMicrojoules,
      double latencySeconds,
      double batteryDays,
      double alwaysOnDays) {
    static SecurityChoiceJson of(SecurityCost.Choice choice) {
      Configuration configuration = choice.configuration();
      Cost cost = choice.cost();
      return new SecurityChoiceJson(
          configuration.level().ordinal(),
          configuration.transport().label(),
          configuration.signed(),
          configuration.meets().stream().map(SecurityCostJson::label).toList(),
          cost.octets(),
          cost.hops().stream().mapToInt(Cost.Hop::frames).sum(),
          cost.hops().getFirst().frames(),
          cost.microjoules(),
          cost.moteMicrojoules(),
          cost.latencyMillis() / 1000,
          cost.batteryDays(),
          cost.alwaysOnDays());
    }
  }

  /**
   * A point of the plot over the payload.
   *
   * @param plainMicrojoules without any security
   * @param chosenMicrojoules in the requested configuration
   */
  record PayloadJson(int payload, double plainMicrojoules, double chosenMicrojoules) {}

  /**
   * A point of the plot over the interval.
   *
   * @param seconds from one message to the next
   * @param plainDays without any security
   * @param chosenDays in the requested configuration
   */
  record WakeJson(long seconds, double plainDays, double chosenDays) {}

  static String label(Need need) {
    return need.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
