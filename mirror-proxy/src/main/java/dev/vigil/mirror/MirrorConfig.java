package dev.vigil.mirror;

import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.mirror.limits.WaitingCapacity;
import dev.vigil.mirror.model.Domain;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * @param domains by name; a registration in any other domain is refused. The map must be concurrent
 *     if its owner changes it, because each request reads the settings in force
 * @param identityKey the file of the mirror's own P-256 key, created on the first start and
 *     readable only by its owner
 * @param own the authorities of this gateway; links of endpoints must not refer to its other
 *     resources
 * @param waitingPlaces places for keys that wait for approval, see {@link WaitingCapacity}
 */
public record MirrorConfig(
    Map<String, Domain> domains, Path identityKey, OwnAuthorities own, int waitingPlaces) {
  private static final int WAITING_PLACES = 1024;

  public static MirrorConfig of(List<Domain> domains, Path identityKey) {
    return of(domains, identityKey, OwnAuthorities.UNKNOWN);
  }

  public static MirrorConfig of(List<Domain> domains, Path identityKey, OwnAuthorities own) {
    return of(
        domains.stream().collect(Collectors.toUnmodifiableMap(Domain::name, Function.identity())),
        identityKey,
        own);
  }

  public static MirrorConfig of(Map<String, Domain> domains, Path identityKey, OwnAuthorities own) {
    return new MirrorConfig(domains, identityKey, own, WAITING_PLACES);
  }

  public MirrorConfig withWaitingPlaces(int places) {
    return new MirrorConfig(domains, identityKey, own, places);
  }
}
