package dev.vigil.gateway.config;

import dev.vigil.mirror.Domain;
import dev.vigil.mirror.TrustPolicy;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.Rejection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An administrative domain; see {@link Domain} for the fields. What is left out is as the protocol
 * has it, and trust and reading as for everyone.
 *
 * @param register who may register endpoints; everyone where it is left out
 * @param read who may read and look up
 * @param command who may hand in commands; whoever may read where it is left out
 * @param history values kept of each resource
 * @param historyAge how long values are kept that newer ones followed; 0: as long as there is room
 * @param historyOctets what the values kept of a resource may take together; 0: any amount
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
  private static final int MOST_HISTORY = 1_000_000;
  private static final int MAX_NAME = 63;

  /** The name under which REST shows the domain that has none. */
  public static final String NAMELESS = "-";

  /** The domain that a parameter of REST names. */
  public static String named(String d) {
    return d.equals(NAMELESS) ? "" : d;
  }

  /** Where the settings of a domain stand, without {@code vigil.}. */
  public static String property(String name) {
    return name.isEmpty() ? "default-domain" : "domains." + name;
  }

  /**
   * @param name empty for the domain of endpoints that name none
   * @throws WrongSetting when something cannot be meant
   */
  public Domain domain(String name, TrustPolicy otherwise) {
    String property = property(name);
    requireName(name);
    requireKeys(property);
    Domain usual = Domain.of(name, trust == null ? otherwise : trust);
    Domain.Limits some = limits.over(property + ".limits", usual.limits());
    return new Domain(
        name,
        usual.trust(),
        java.util.Set.copyOf(listed),
        commanders,
        or(rotateAtOnce, usual.rotateAtOnce()),
        or(confidential, usual.confidential()),
        Check.in(property + ".window", window, 1, Domain.MAX_WINDOW, usual.window()),
        Check.in(property + ".history", history, 1, MOST_HISTORY, usual.history()),
        Check.span(property + ".max-clock-skew", maxClockSkew, usual.maxClockSkew()),
        Check.span(property + ".max-delay", maxDelay, usual.maxDelay()),
        Check.positive(property + ".default-wake", defaultWake, usual.defaultWake()),
        or(serveStale, usual.serveStale()),
        some.keeping(
            Check.span(property + ".history-age", historyAge, some.historyAge()),
            Check.in(
                property + ".history-octets",
                historyOctets,
                0,
                Long.MAX_VALUE,
                some.historyOctets())));
  }

  private static void requireName(String name) {
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME
        || name.equals(NAMELESS)
        || name.chars().anyMatch(c -> c < 0x20 || c == 0x7f || c == '/')) {
      throw new WrongSetting(
          "domains." + name, "is no name: 1 to 63 octets, no slash, and not - alone");
    }
  }

  private void requireKeys(String property) {
    for (int i = 0; i < listed.size(); i++) {
      if (!THUMBPRINT.matcher(listed.get(i)).matches()) {
        throw new WrongSetting(
            property + ".listed[" + i + "]",
            "takes the thumbprint of a key, 43 characters, not \"" + listed.get(i) + "\"");
      }
    }
    for (int i = 0; i < commanders.size(); i++) {
      try {
        Jwk.parse(commanders.get(i).getBytes(StandardCharsets.UTF_8));
      } catch (Rejection e) {
        throw new WrongSetting(
            property + ".commanders[" + i + "]", "takes a public key as JWK: " + e.line());
      }
    }
  }

  private static <T> T or(@Nullable T told, T usual) {
    return told == null ? usual : told;
  }
}
