package dev.vigil.gateway.config;

import dev.vigil.border.tun.PacketFilter;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The border bridge; without a radio there is none.
 *
 * @param panId 0 to 0xfffe, hexadecimal with 0x
 * @param channel 11 to 26
 * @param prefix of the mesh, 64 bits
 * @param eui64 of the bridge, 16 hexadecimal digits; empty for 02564947494c0001
 * @param capture a pcapng file that gets every frame and packet; empty for none
 * @param linkSecurity the network's key
 * @param tun the kernel's way into the mesh
 * @param filter what may start a conversation through it; none: {@link PacketFilter#USUAL}
 */
public record BorderProperties(
    @DefaultValue List<RadioProperties> radios,
    @DefaultValue("0xabcd") String panId,
    @DefaultValue("26") int channel,
    @DefaultValue("fd00::/64") String prefix,
    @DefaultValue("") String eui64,
    @DefaultValue("") String capture,
    @DefaultValue LinkSecurityProperties linkSecurity,
    @DefaultValue TunProperties tun,
    @DefaultValue List<PacketFilter.Rule> filter) {

  private static final int LAST_PAN = 0xfffe;

  public BorderProperties {
    radios = List.copyOf(radios);
    filter = List.copyOf(filter);
    Check.range("border.channel", channel, 11, 26);
    Check.range("border.pan-id", pan(panId), 0, LAST_PAN);
    if (Network.parse(prefix).bits() != 64) {
      throw new IllegalArgumentException("border.prefix has 64 bits, for instance fd00::/64");
    }
  }

  public int pan() {
    return pan(panId);
  }

  /** The prefix without its length. */
  public String prefixAddress() {
    return Network.parse(prefix).address().getHostAddress();
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
