package dev.vigil.gateway.config;

import dev.vigil.mirror.Domain;
import dev.vigil.mirror.TrustPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An administrative domain; see {@link Domain} for the fields. What is left out is as the protocol
 * has it, and the trust policy as for everyone.
 */
public record DomainProperties(
    @Nullable TrustPolicy trust,
    @DefaultValue Set<String> listed,
    @DefaultValue List<String> commanders,
    @Nullable Boolean rotateAtOnce,
    @Nullable Boolean confidential,
    @Nullable Integer window,
    @Nullable Integer history,
    @Nullable Duration maxClockSkew,
    @Nullable Duration maxDelay,
    @Nullable Duration defaultWake,
    @Nullable Boolean serveStale) {

  /**
   * @throws IllegalArgumentException when a number is out of range
   */
  public Domain domain(String name, TrustPolicy otherwise) {
    Domain usual = Domain.of(name, trust == null ? otherwise : trust);
    return new Domain(
        name,
        usual.trust(),
        listed,
        commanders,
        or(rotateAtOnce, usual.rotateAtOnce()),
        or(confidential, usual.confidential()),
        or(window, usual.window()),
        or(history, usual.history()),
        or(maxClockSkew, usual.maxClockSkew()),
        or(maxDelay, usual.maxDelay()),
        or(defaultWake, usual.defaultWake()),
        or(serveStale, usual.serveStale()),
        usual.limits());
  }

  private static <T> T or(@Nullable T told, T usual) {
    return told == null ? usual : told;
  }
}
