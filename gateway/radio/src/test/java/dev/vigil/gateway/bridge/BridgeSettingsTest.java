package dev.vigil.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.Dialects;
import dev.vigil.border.config.LinkSecurityConfig;
import dev.vigil.border.config.TunConfig;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.tun.PacketFilter;
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
  void byDefaultFramesAreUnsecuredAndThereIsNoTun() {
    BridgeConfig bridge = BridgeSettings.of(border(Map.of()));
    assertThat(bridge.linkSecurity()).isNull();
    assertThat(bridge.tun()).isNull();
  }

  @Test
  void aKeySecuresFramesAtLevelFiveByDefault() {
    BridgeConfig bridge = BridgeSettings.of(border(Map.of("link-security.key", KEY)));
    LinkSecurityConfig linkSecurity = Objects.requireNonNull(bridge.linkSecurity());
    assertThat(linkSecurity.level()).isEqualTo(SecurityLevel.ENC_MIC_32);
    assertThat(linkSecurity.keyId()).isEqualTo(KeyId.IMPLICIT);
    assertThat(linkSecurity.key()).asHexString().isEqualToIgnoringCase(KEY);
    assertThat(linkSecurity.neverUsed()).isFalse();
  }

  @Test
  void anOperatorMaySayThatAKeyWasNeverUsed() {
    BridgeConfig bridge =
        BridgeSettings.of(
            border(Map.of("link-security.key", KEY, "link-security.never-used", "true")));
    assertThat(Objects.requireNonNull(bridge.linkSecurity()).neverUsed()).isTrue();
  }

  @Test
  void theKeyIsNeverShown() {
    BorderProperties border = border(Map.of("link-security.key", KEY));
    assertThat(border.toString()).doesNotContain(KEY);
    assertThat(BridgeSettings.of(border).toString()).doesNotContain(KEY);
  }

  @Test
  void encryptionWithoutIntegrityIsRefusedWithAdvice() {
    assertThatThrownBy(() -> border(Map.of("link-security.key", KEY, "link-security.level", "4")))
        .rootCause()
        .hasMessageContaining("use 5, 6 or 7");
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
  void aNamedNeighbourReadsCompressedIpsecFromTheStart() {
    Dialects dialects =
        BridgeSettings.of(border(Map.of("compressed-ipsec[0]", "02564947494c1001")))
            .mesh()
            .dialects();
    LinkAddress named = LinkAddress.of(new Eui64(0x02564947494C1001L));
    LinkAddress other = LinkAddress.of(new Eui64(0x02564947494C1002L));
    assertThat(dialects.of(named, false)).isEqualTo(NhcSupport.IPSEC);
    assertThat(dialects.of(other, false)).isEqualTo(NhcSupport.CONTIKI_NG);
    assertThat(dialects.of(other, true)).isEqualTo(NhcSupport.IPSEC);
    assertThatThrownBy(() -> BridgeSettings.of(border(Map.of("compressed-ipsec[0]", "mote-1"))))
        .hasMessageContaining("border.compressed-ipsec")
        .hasMessageContaining("\"mote-1\"");
  }

  @Test
  void theTimeBetweenTheFirstDiosIsAPowerOfTwo() {
    assertThat(BridgeSettings.of(border(Map.of())).mesh().dioIntervalMin()).isEqualTo(12);
    BridgeConfig quick = BridgeSettings.of(border(Map.of("dio-interval-min", "9")));
    assertThat(quick.mesh().dioIntervalMin()).isEqualTo(9);
    assertThatThrownBy(() -> border(Map.of("dio-interval-min", "4096")))
        .rootCause()
        .hasMessageContaining("border.dio-interval-min");
  }

  @Test
  void theDefaultFilterAppliesUnlessRulesAreGiven() {
    BridgeConfig usual = BridgeSettings.of(border(Map.of("tun.device", "vigil0")));
    assertThat(Objects.requireNonNull(usual.tun()).filter()).isEqualTo(PacketFilter.DEFAULT);
    BridgeConfig config =
        BridgeSettings.of(
            border(
                Map.of(
                    "tun.device", "vigil0",
                    "filter[0]", "deny in udp 5684",
                    "filter[1]", "allow both any from 2001:db8::/32")));
    assertThat(Objects.requireNonNull(config.tun()).filter().rules())
        .containsExactly(
            PacketFilter.Rule.of("deny in udp 5684"),
            PacketFilter.Rule.of("allow both any from 2001:db8::/32"));
  }

  @Test
  void aMalformedFilterRuleIsNamedWithItsPlace() {
    assertThatThrownBy(() -> border(Map.of("filter[0]", "allow in udp coap")))
        .isInstanceOfSatisfying(
            BindException.class,
            e ->
                assertThat(Objects.requireNonNull(e.getProperty()).getName())
                    .hasToString("border.filter[0]"))
        .rootCause()
        .hasMessageContaining("instead of \"coap\"");
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
