package dev.vigil.gateway.network;

import dev.vigil.border.tun.PacketFilter;
import dev.vigil.gateway.bridge.LinkSecurityProperties;
import dev.vigil.gateway.bridge.NetworkSettingsRecord;
import dev.vigil.gateway.bridge.NetworkSettingsRecord.LinkSecurityRecord;
import dev.vigil.gateway.bridge.RadioProperties;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the radio network to store.
 *
 * @param radios at most 8; absent: none
 * @param filter rules as in border.filter, at most 100; absent: the default rules
 * @param linkSecurity absent: frames are not secured
 */
@Schema(name = "NetworkSettingsBody")
record NetworkSettingsBodyJson(
    @Nullable List<RadioBodyJson> radios,
    @Nullable List<String> filter,
    @Nullable LinkSecurityBody linkSecurity) {
  private static final int MAX_RADIOS = 8;
  private static final int MAX_RULES = 100;
  private static final int DEFAULT_LEVEL = 5;
  private static final int NO_INDEX = -1;

  /**
   * @param key 32 hexadecimal digits; absent: the stored one stays
   * @param level security level 1 to 7 except 4; absent: 5
   * @param keyIndex key index in the frames; absent or -1: none
   */
  @Schema(name = "LinkSecurityBody")
  record LinkSecurityBody(
      @Schema(pattern = "^[0-9a-fA-F]{32}$") @Nullable String key,
      @Schema(minimum = "1", maximum = "7") @Nullable Integer level,
      @Schema(minimum = "-1", maximum = "255") @Nullable Integer keyIndex) {
    @Override
    public String toString() {
      return "LinkSecurityBody[level=" + level + ", keyIndex=" + keyIndex + "]";
    }
  }

  /**
   * @param seal seals the 16 octets of a key
   * @param before the stored settings; null: none
   * @throws ProblemException names the member that is wrong
   */
  NetworkSettingsRecord settings(
      Function<byte[], String> seal, @Nullable NetworkSettingsRecord before) {
    return new NetworkSettingsRecord(
        radioProperties(), rules(), security(seal, before == null ? null : before.linkSecurity()));
  }

  private @Nullable List<RadioProperties> radioProperties() {
    if (radios == null) {
      return null;
    }
    if (radios.size() > MAX_RADIOS) {
      throw refused("radios", "takes at most " + MAX_RADIOS);
    }
    List<RadioProperties> all = new ArrayList<>();
    for (int i = 0; i < radios.size(); i++) {
      String member = "radios[" + i + "]";
      @Nullable RadioBodyJson radio = radios.get(i);
      if (radio == null) {
        throw refused(member, "is null");
      }
      all.add(radio.properties(member));
    }
    return all;
  }

  private @Nullable List<String> rules() {
    if (filter == null) {
      return null;
    }
    if (filter.size() > MAX_RULES) {
      throw refused("filter", "takes at most " + MAX_RULES + " rules");
    }
    for (int i = 0; i < filter.size(); i++) {
      try {
        PacketFilter.Rule.of(Objects.requireNonNullElse(filter.get(i), ""));
      } catch (IllegalArgumentException e) {
        throw refused("filter[" + i + "]", String.valueOf(e.getMessage()));
      }
    }
    return filter;
  }

  private @Nullable LinkSecurityRecord security(
      Function<byte[], String> seal, @Nullable LinkSecurityRecord before) {
    if (linkSecurity == null) {
      return null;
    }
    int level = Objects.requireNonNullElse(linkSecurity.level, DEFAULT_LEVEL);
    int keyIndex = Objects.requireNonNullElse(linkSecurity.keyIndex, NO_INDEX);
    String key = linkSecurity.key;
    if (key == null && before == null) {
      throw refused("linkSecurity.key", "is missing, and none is stored");
    }
    try {
      LinkSecurityProperties checked =
          new LinkSecurityProperties(key == null ? "" : key, level, keyIndex, false);
      if (key != null && !checked.secured()) {
        throw refused("linkSecurity.key", "takes 32 hexadecimal digits");
      }
      String sealed =
          key == null ? Objects.requireNonNull(before).sealedKey() : seal.apply(checked.octets());
      return new LinkSecurityRecord(sealed, level, keyIndex);
    } catch (IllegalArgumentException e) {
      throw refused("linkSecurity", String.valueOf(e.getMessage()));
    }
  }

  private static ProblemException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}
