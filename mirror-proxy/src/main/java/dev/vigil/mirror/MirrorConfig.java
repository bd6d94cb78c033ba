package dev.vigil.mirror;

import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.mirror.limits.WaitingCapacity;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.trust.MirrorIdentity;
import dev.vigil.signed.jose.LocalKeyPair;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * @param domains by name; a registration in any other domain is refused. The map must be concurrent
 *     if its owner changes it, because each request reads the settings in force
 * @param identity the mirror's own P-256 key, see {@link MirrorIdentity}
 * @param own the authorities of this gateway; links of endpoints must not refer to its other
 *     resources
 * @param waitingPlaces places for keys that wait for approval, see {@link WaitingCapacity}
 */
public record MirrorConfig(
    Map<String, Domain> domains, LocalKeyPair identity, OwnAuthorities own, int waitingPlaces) {
  private static final int WAITING_PLACES = 1024;

  public static MirrorConfig of(List<Domain> domains, LocalKeyPair identity) {
    return of(domains, identity, OwnAuthorities.UNKNOWN);
  }

  public static MirrorConfig of(List<Domain> domains, LocalKeyPair identity, OwnAuthorities own) {
    return of(
        domains.stream().collect(Collectors.toUnmodifiableMap(Domain::name, Function.identity())),
        identity,
        own);
  }

  public static MirrorConfig of(
      Map<String, Domain> domains, LocalKeyPair identity, OwnAuthorities own) {
    return new MirrorConfig(domains, identity, own, WAITING_PLACES);
  }

  public MirrorConfig withWaitingPlaces(int places) {
    return new MirrorConfig(domains, identity, own, places);
  }
}
