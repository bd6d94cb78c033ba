package dev.vigil.gateway.domains;

import dev.vigil.gateway.access.PolicySettings;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.settings.SettingChecks;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.store.NameGrammar;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An administrative domain; see {@link Domain} for the fields. The defaults are in
 * docs/protocol.md, and for {@code trust} and {@code read} in {@link DomainsFile}.
 *
 * @param register principals that may register endpoints; default: anyone
 * @param read principals that may read and look up
 * @param command principals that may submit commands; default: the principals of {@code read}
 * @param history values kept of each resource; null: by age
 * @param historyAge age at which superseded values are deleted; 0: as vigil.history.values says
 * @param historyOctets octets of all values kept of a resource; 0: no limit
 */
public record DomainProperties(
    @Nullable TrustPolicy trust,
    @Nullable List<String> register,
    @Nullable List<String> read,
    @Nullable List<String> command,
    @DefaultValue List<String> listed,
    @DefaultValue List<String> commanders,
    @Nullable Boolean rotateAtOnce,
    @Nullable Boolean confidential,
    @Nullable Integer window,
    @Nullable Integer history,
    @Nullable Duration historyAge,
    @Nullable Long historyOctets,
    @Nullable Duration maxClockSkew,
    @Nullable Duration maxDelay,
    @Nullable Duration defaultWake,
    @Nullable Boolean serveStale,
    @DefaultValue LimitProperties limits) {

  private static final Pattern THUMBPRINT = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final int MAX_HISTORY = 1_000_000;

  /**
   * @param name empty for the unnamed domain
   * @param defaultTrust the policy if the domain sets none
   * @throws InvalidSettingException when a setting is invalid
   */
  public Domain domain(String name, TrustPolicy defaultTrust) {
    String property = DomainNames.property(name);
    requireName(name);
    requireKeys(property);
    Domain defaults = Domain.of(name, trust == null ? defaultTrust : trust);
    Domain.Limits limited = limits.over(property + ".limits", defaults.limits());
    return new Domain(
        name,
        defaults.trust(),
        java.util.Set.copyOf(listed),
        commanders,
        or(rotateAtOnce, defaults.rotateAtOnce()),
        or(confidential, defaults.confidential()),
        SettingChecks.in(property + ".window", window, 1, Domain.MAX_WINDOW, defaults.window()),
        SettingChecks.in(property + ".history", history, 1, MAX_HISTORY, defaults.history()),
        SettingChecks.span(property + ".max-clock-skew", maxClockSkew, defaults.maxClockSkew()),
        SettingChecks.span(property + ".max-delay", maxDelay, defaults.maxDelay()),
        SettingChecks.positive(property + ".default-wake", defaultWake, defaults.defaultWake()),
        or(serveStale, defaults.serveStale()),
        limited.withHistory(
            SettingChecks.span(property + ".history-age", historyAge, limited.historyAge()),
            SettingChecks.in(
                property + ".history-octets",
                historyOctets,
                0,
                Long.MAX_VALUE,
                limited.historyOctets())));
  }

  /** The principals that these settings permit. */
  public PolicySettings policy() {
    return new PolicySettings(register, read, command);
  }

  /** These settings, completed with the others; the keys of both. */
  public DomainProperties orElse(DomainProperties others) {
    return new DomainProperties(
        SettingChecks.first(trust, others.trust),
        SettingChecks.first(register, others.register),
        SettingChecks.first(read, others.read),
        SettingChecks.first(command, others.command),
        both(listed, others.listed),
        both(commanders, others.commanders),
        SettingChecks.first(rotateAtOnce, others.rotateAtOnce),
        SettingChecks.first(confidential, others.confidential),
        SettingChecks.first(window, others.window),
        SettingChecks.first(history, others.history),
        SettingChecks.first(historyAge, others.historyAge),
        SettingChecks.first(historyOctets, others.historyOctets),
        SettingChecks.first(maxClockSkew, others.maxClockSkew),
        SettingChecks.first(maxDelay, others.maxDelay),
        SettingChecks.first(defaultWake, others.defaultWake),
        SettingChecks.first(serveStale, others.serveStale),
        limits.orElse(others.limits));
  }

  private static List<String> both(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static void requireName(String name) {
    // The unnamed domain has its own settings.
    String fault = name.isEmpty() ? null : NameGrammar.fault(name);
    if (fault != null || name.equals(DomainNames.NAMELESS) || name.indexOf('/') >= 0) {
      throw new InvalidSettingException(
          "domains." + name,
          "is not a valid name: it " + (fault == null ? "holds a slash, or is just -" : fault));
    }
  }

  private void requireKeys(String property) {
    for (int i = 0; i < listed.size(); i++) {
      if (!THUMBPRINT.matcher(listed.get(i)).matches()) {
        throw new InvalidSettingException(
            property + ".listed[" + i + "]",
            "takes the thumbprint of a key (43 characters), not \"" + listed.get(i) + "\"");
      }
    }
    for (int i = 0; i < commanders.size(); i++) {
      try {
        JwkCodec.read(commanders.get(i));
      } catch (SignedObjectException e) {
        throw new InvalidSettingException(
            property + ".commanders[" + i + "]", "takes a public key as JWK: " + e.line());
      }
    }
  }

  private static <T> T or(@Nullable T setting, T defaults) {
    return setting == null ? defaults : setting;
  }
}
