package dev.vigil.gateway.bridge;

import dev.vigil.gateway.records.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the radio network that administrators stored. Null: the default.
 *
 * @param radios as in the settings file
 * @param filter rules in their text form
 */
public record NetworkSettingsRecord(
    @Nullable List<RadioProperties> radios,
    @Nullable List<String> filter,
    @Nullable LinkSecurityRecord linkSecurity) {

  /**
   * @param sealedKey the link key, sealed with the gateway's identity key, base64url
   */
  public record LinkSecurityRecord(@Secret String sealedKey, int level, int keyIndex) {}
}
