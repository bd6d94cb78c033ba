package dev.vigil.gateway.bridge;

import dev.vigil.border.tun.PacketFilter;
import dev.vigil.gateway.settings.CidrNetwork;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.settings.SettingChecks;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The border bridge; it runs only when there is a radio.
 *
 * @param panId 0 to 0xfffe, hexadecimal with 0x
 * @param channel 11 to 26
 * @param prefix of the mesh, 64 bits
 * @param dioIntervalMin the first time between RPL's DIOs is 2^this milliseconds
 * @param compressedIpsec EUI-64s of neighbours that read compressed AH and ESP; the bridge learns
 *     other such neighbours from the packets that they send
 * @param eui64 of the bridge, 16 hexadecimal digits; empty: 02564947494c0001
 * @param capture a pcapng file that gets every frame and packet; empty: none
 * @param linkSecurity the link-layer key of the network
 * @param tun the TUN interface that connects the kernel to the mesh
 * @param ipsec the file of IPsec associations that end at the gateway; empty: none
 * @param ipsecUnlisted the policy for unprotected packets of peers that the file does not name
 * @param ipsecNew whether associations without a record of sequence numbers were never used; best
 *     given as {@code --new-sa}, for one start
 * @param filter packets that may open a flow through the TUN interface; empty: {@link
 *     PacketFilter#DEFAULT}
 */
public record BorderProperties(
    @DefaultValue List<RadioProperties> radios,
    @DefaultValue("0xabcd") String panId,
    @DefaultValue("26") int channel,
    @DefaultValue("fd00::/64") String prefix,
    @DefaultValue("12") int dioIntervalMin,
    @DefaultValue List<String> compressedIpsec,
    @DefaultValue("") String eui64,
    @DefaultValue("") String capture,
    @DefaultValue LinkSecurityProperties linkSecurity,
    @DefaultValue TunProperties tun,
    @DefaultValue("") String ipsec,
    @DefaultValue("bypass") Unlisted ipsecUnlisted,
    @DefaultValue("false") boolean ipsecNew,
    @DefaultValue List<PacketFilter.Rule> filter) {

  /** Policy for peers without associations (RFC 4301, section 4.4.1). */
  public enum Unlisted {
    BYPASS,
    DISCARD
  }

  private static final int LAST_PAN = 0xfffe;

  public BorderProperties {
    radios = List.copyOf(radios);
    compressedIpsec = List.copyOf(compressedIpsec);
    filter = List.copyOf(filter);
    SettingChecks.range("border.channel", channel, 11, 26);
    SettingChecks.range("border.pan-id", pan(panId), 0, LAST_PAN);
    SettingChecks.range("border.dio-interval-min", dioIntervalMin, 8, 20);
    if (!ipsec.isEmpty() && radios.isEmpty()) {
      throw new InvalidSettingException(
          "border.ipsec", "needs a radio: set border.radios, or leave it out");
    }
    if (ipsec.isEmpty() && ipsecUnlisted == Unlisted.DISCARD) {
      throw new InvalidSettingException(
          "border.ipsec-unlisted", "is discard, so border.ipsec must name a file of associations");
    }
    if (CidrNetwork.parse(prefix).bits() != 64) {
      throw new IllegalArgumentException("border.prefix must have 64 bits, for instance fd00::/64");
    }
  }

  public int pan() {
    return pan(panId);
  }

  /** The prefix without its length. */
  public String prefixAddress() {
    return CidrNetwork.parse(prefix).address().getHostAddress();
  }

  private static int pan(String text) {
    try {
      return Integer.decode(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "border.pan-id takes a number such as 0xabcd, not \"" + text + "\"", e);
    }
  }
}
