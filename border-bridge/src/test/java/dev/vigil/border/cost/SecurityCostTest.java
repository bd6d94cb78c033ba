package dev.vigil.border.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.vigil.border.ieee802154.SecurityLevel;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SecurityCostTest {
  private static final Scenario ONE_HOP = new Scenario(22, false, 1, 60, 2000);
  private static final Configuration NOTHING =
      new Configuration(SecurityLevel.NONE, Transport.NONE, false);

  private static Cost cost(Scenario scenario, SecurityLevel level, Transport transport) {
    return SecurityCost.DEFAULT.of(scenario, new Configuration(level, transport, false));
  }

  private static int octets(Transport transport) {
    return cost(ONE_HOP, SecurityLevel.NONE, transport).octets();
  }

  /** Raza 2011, table II, and the trailer. UDP's header is compressed only outside of ESP. */
  @ParameterizedTest
  @CsvSource({"AH_XCBC, 16", "ESP_CTR_XCBC, 27", "ESP_CBC_XCBC, 35", "ESP_CCM8, 23"})
  void compressedHeadersAddTheirOctetsOnTheAir(Transport transport, int added) {
    assertThat(octets(transport) - octets(Transport.NONE)).isEqualTo(added);
  }

  /** Header 13, explicit nonce 8, MIC 8. */
  @Test
  void aRecordOfDtlsAddsTwentyNineOctets() {
    assertThat(octets(Transport.DTLS_CCM8) - octets(Transport.NONE)).isEqualTo(29);
  }

  @ParameterizedTest
  @CsvSource({"MIC_32, 9", "MIC_64, 13", "MIC_128, 21", "ENC, 5", "ENC_MIC_128, 21"})
  void linkSecurityAddsItsHeaderAndMicToEachFrame(SecurityLevel level, int added) {
    int more = cost(ONE_HOP, level, Transport.NONE).octets() - octets(Transport.NONE);
    assertThat(more).isEqualTo(added);
  }

  @Test
  void aSignatureAddsSixtySevenOctetsAndItsProcessorTime() {
    Cost plain = SecurityCost.DEFAULT.of(ONE_HOP, NOTHING);
    Cost signed =
        SecurityCost.DEFAULT.of(
            ONE_HOP, new Configuration(SecurityLevel.NONE, Transport.NONE, true));
    int fragmentHeaders = 4 + 5;
    assertThat(signed.hops().getFirst().frames()).isEqualTo(2);
    assertThat(signed.octets() - plain.octets()).isGreaterThan(67 + fragmentHeaders);
    assertThat(signed.latencyMillis() - plain.latencyMillis()).isGreaterThan(441);
  }

  @Test
  void everyHopCostsARouterSendingAndReceiving() {
    Scenario six = new Scenario(22, false, 6, 60, 2000);
    Cost cost = cost(six, SecurityLevel.ENC_MIC_64, Transport.ESP_CTR_XCBC);
    assertThat(cost.hops()).hasSize(6);
    assertThat(cost.relayMicrojoules()).isGreaterThan(5 * cost.moteMicrojoules());
    assertThat(cost.octets()).isEqualTo(cost.hops().stream().mapToInt(Cost.Hop::octets).sum());
  }

  @Test
  void aLongMessageIsSentInFragmentsWithSecurityInEach() {
    Scenario large = new Scenario(512, false, 1, 60, 2000);
    Cost plain = cost(large, SecurityLevel.NONE, Transport.NONE);
    Cost secured = cost(large, SecurityLevel.ENC_MIC_128, Transport.NONE);
    assertThat(plain.hops().getFirst().frames()).isGreaterThan(5);
    assertThat(secured.hops().getFirst().frames()).isGreaterThan(plain.hops().getFirst().frames());
    assertThat(secured.octets() - plain.octets())
        .isGreaterThanOrEqualTo(21 * plain.hops().getFirst().frames());
  }

  @Test
  void aMoteThatSleepsLongerLivesLonger() {
    Cost minute = SecurityCost.DEFAULT.of(ONE_HOP, NOTHING);
    Cost hour = SecurityCost.DEFAULT.of(new Scenario(22, false, 1, 3600, 2000), NOTHING);
    assertThat(hour.batteryDays()).isGreaterThan(minute.batteryDays());
    assertThat(minute.alwaysOnDays()).isEqualTo(hour.alwaysOnDays());
    // 2000 mAh at 19.7 mA
    assertThat(minute.alwaysOnDays() * 24).isBetween(101.0, 102.0);
  }

  @ParameterizedTest
  @EnumSource(Need.class)
  void theCheapestChoiceMeetsTheNeed(Need need) {
    SecurityCost.Choice choice = SecurityCost.DEFAULT.cheapest(ONE_HOP, Set.of(need)).orElseThrow();
    assertThat(choice.configuration().meets()).contains(need);
    for (Configuration other : Configuration.all()) {
      if (other.meets().contains(need)) {
        assertThat(SecurityCost.DEFAULT.of(ONE_HOP, other).microjoules())
            .isGreaterThanOrEqualTo(choice.cost().microjoules());
      }
    }
  }

  @Test
  void withoutNeedsNothingIsCheapest() {
    assertThat(SecurityCost.DEFAULT.cheapest(ONE_HOP, Set.of()).orElseThrow().configuration())
        .isEqualTo(NOTHING);
  }

  @Test
  void allNeedsTogetherTakeASignatureAnEncryptedTransportAndALinkMic() {
    Configuration chosen =
        SecurityCost.DEFAULT
            .cheapest(ONE_HOP, EnumSet.allOf(Need.class))
            .orElseThrow()
            .configuration();
    assertThat(chosen.signed()).isTrue();
    assertThat(chosen.transport().encrypts()).isTrue();
    assertThat(chosen.level().authenticates()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1, 60, 2000, payload must be 0 to 1000",
    "1001, 1, 60, 2000, payload must be 0 to 1000",
    "10, 0, 60, 2000, hops must be 1 to 16",
    "10, 17, 60, 2000, hops must be 1 to 16",
    "10, 1, 0, 2000, wake must be 1 to 604800",
    "10, 1, 60, 0, battery must be 1 to 100000",
    "10, 1, 60, NaN, battery must be 1 to 100000"
  })
  void anotherScenarioIsRefusedByName(
      int payload, int hops, long wake, double battery, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scenario(payload, false, hops, wake, battery))
        .withMessage(message);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void theLongestMessageFits(Transport transport) {
    Scenario longest = new Scenario(Scenario.MAX_PAYLOAD, true, Scenario.MAX_HOPS, 60, 2000);
    Cost cost =
        SecurityCost.DEFAULT.of(
            longest, new Configuration(SecurityLevel.ENC_MIC_128, transport, true));
    assertThat(cost.hops()).hasSize(Scenario.MAX_HOPS);
  }
}
