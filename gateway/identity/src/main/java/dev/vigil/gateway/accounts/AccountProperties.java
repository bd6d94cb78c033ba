package dev.vigil.gateway.accounts;

import dev.vigil.gateway.oidc.OidcProperties;
import dev.vigil.gateway.settings.SettingChecks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Accounts, sessions and the operator's token.
 *
 * @param operatorToken whether the token of {@code operator.token} is accepted
 * @param firstPasswordFile a file with the first administrator's one-time password, for instance a
 *     container's secret; only its owner may read the file. Empty: the gateway writes a random
 *     password to {@code admin.password} in the data folder
 * @param printFirstPassword whether startup prints the one-time password
 * @param sessionIdle time without requests after which a session ends
 * @param sessionMax time from the sign-in after which a session ends
 * @param oidc a provider through which people can also sign in
 */
public record AccountProperties(
    @DefaultValue("true") boolean operatorToken,
    @DefaultValue("") String firstPasswordFile,
    @DefaultValue("false") boolean printFirstPassword,
    @Nullable Duration sessionIdle,
    @Nullable Duration sessionMax,
    @DefaultValue OidcProperties oidc) {
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final Duration MAX = Duration.ofHours(12);

  public AccountProperties {
    sessionIdle = SettingChecks.positive("accounts.session-idle", sessionIdle, IDLE);
    sessionMax = SettingChecks.positive("accounts.session-max", sessionMax, MAX);
  }

  /** Time without requests after which a session ends. */
  public Duration idle() {
    return sessionIdle == null ? IDLE : sessionIdle;
  }

  /** Time from the sign-in after which a session ends. */
  public Duration max() {
    return sessionMax == null ? MAX : sessionMax;
  }
}
