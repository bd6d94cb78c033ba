package dev.vigil.gateway.bridge;

import dev.vigil.gateway.settings.SettingChecks;
import java.util.HexFormat;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The link-layer key of the network (802.15.4 security).
 *
 * @param key 32 hexadecimal digits, best given as VIGIL_BORDER_LINK_SECURITY_KEY; never shown.
 *     Empty: frames are not secured
 * @param level security level 1 to 7 except 4, which has no integrity; Contiki-NG's default is 5
 * @param keyIndex key index in the frames: -1: none (key id mode 0); 0 to 255: key id mode 1
 * @param neverUsed whether a key without stored counters was never used before. Otherwise, after a
 *     restore, frames are sent with counters above every number that may have been used, or not at
 *     all
 */
public record LinkSecurityProperties(
    @DefaultValue("") String key,
    @DefaultValue("5") int level,
    @DefaultValue("-1") int keyIndex,
    @DefaultValue("false") boolean neverUsed) {
  private static final int ENCRYPTION_ONLY = 4;

  public LinkSecurityProperties {
    SettingChecks.range("border.link-security.level", level, 1, 7);
    SettingChecks.range("border.link-security.key-index", keyIndex, -1, 255);
    if (level == ENCRYPTION_ONLY) {
      throw new IllegalArgumentException(
          "border.link-security.level 4 encrypts without integrity: use 5, 6 or 7");
    }
    if (!key.isEmpty() && !key.matches("[0-9a-fA-F]{32}")) {
      throw new IllegalArgumentException(
          "border.link-security.key takes 32 hexadecimal digits, not "
              + key.length()
              + " characters");
    }
  }

  public boolean secured() {
    return !key.isEmpty();
  }

  /** The key's 16 octets. */
  public byte[] octets() {
    return HexFormat.of().parseHex(key);
  }

  @Override
  public String toString() {
    return "LinkSecurityProperties[level=" + level + ", keyIndex=" + keyIndex + "]";
  }
}
