package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.BridgeConfig;
import dev.vigil.border.LinkProtection;
import dev.vigil.border.TunConfig;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.tun.PacketFilter;
import dev.vigil.gateway.config.BorderProperties;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class BridgeSettingsTest {
  private static final String KEY = "4a61766120627269646765206b657931";

  @Test
  void aNetworkWithoutAKeyIsNotSecuredAndEndsInTheGateway() {
    BridgeConfig bridge = BridgeSettings.of(border(Map.of()));
    assertThat(bridge.protection()).isNull();
    assertThat(bridge.tun()).isNull();
  }

  @Test
  void aKeySecuresFramesAtLevelFiveUnlessAnotherIsNamed() {
    BridgeConfig bridge = BridgeSettings.of(border(Map.of("link-security.key", KEY)));
    LinkProtection protection = Objects.requireNonNull(bridge.protection());
    assertThat(protection.level()).isEqualTo(SecurityLevel.ENC_MIC_32);
    assertThat(protection.keyId()).isEqualTo(KeyId.IMPLICIT);
    assertThat(protection.key()).asHexString().isEqualToIgnoringCase(KEY);
  }

  @Test
  void theKeyIsNeverShown() {
    BorderProperties border = border(Map.of("link-security.key", KEY));
    assertThat(border.toString()).doesNotContain(KEY);
    assertThat(BridgeSettings.of(border).toString()).doesNotContain(KEY);
  }

  @Test
  void encryptionWithoutIntegrityIsRefusedWithTheWayOut() {
    assertThatThrownBy(() -> border(Map.of("link-security.key", KEY, "link-security.level", "4")))
        .rootCause()
        .hasMessageContaining("take 5, 6 or 7");
  }

  @Test
  void aKeyOfTheWrongLengthIsRefusedWithoutRepeatingIt() {
    assertThatThrownBy(() -> border(Map.of("link-security.key", "c0ffee")))
        .rootCause()
        .hasMessageContaining("32 hexadecimal digits")
        .hasMessageNotContaining("c0ffee");
  }

  @Test
  void aTunInterfaceGetsTheFirstAddressOfTheMesh() {
    BridgeConfig bridge = BridgeSettings.of(border(Map.of("tun.device", "vigil0")));
    TunConfig tun = Objects.requireNonNull(bridge.tun());
    assertThat(tun.device()).isEqualTo("vigil0");
    assertThat(tun.kernelAddress()).hasToString("fd00::1");
  }

  @Test
  void whatMayReachMotesIsTheUsualUnlessRulesAreGiven() {
    BridgeConfig usual = BridgeSettings.of(border(Map.of("tun.device", "vigil0")));
    assertThat(Objects.requireNonNull(usual.tun()).filter()).isEqualTo(PacketFilter.USUAL);
    BridgeConfig told =
        BridgeSettings.of(
            border(
                Map.of(
                    "tun.device", "vigil0",
                    "filter[0]", "deny in udp 5684",
                    "filter[1]", "allow both any from 2001:db8::/32")));
    assertThat(Objects.requireNonNull(told.tun()).filter().rules())
        .containsExactly(
            PacketFilter.Rule.of("deny in udp 5684"),
            PacketFilter.Rule.of("allow both any from 2001:db8::/32"));
  }

  @Test
  void aRuleThatCannotBeReadIsNamedWithItsPlace() {
    assertThatThrownBy(() -> border(Map.of("filter[0]", "allow in udp coap")))
        .isInstanceOfSatisfying(
            BindException.class,
            e ->
                assertThat(Objects.requireNonNull(e.getProperty()).getName())
                    .hasToString("border.filter[0]"))
        .rootCause()
        .hasMessageContaining("where \"coap\" stands");
  }

  private static BorderProperties border(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("border.radios[0].kind", "virtual");
    settings.forEach((name, value) -> all.put("border." + name, value));
    return new Binder(new MapConfigurationPropertySource(all))
        .bind("border", BorderProperties.class)
        .get();
  }
}
