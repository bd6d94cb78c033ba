package dev.vigil.mirror;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * @param domains by name; a registration that names another is refused
 * @param base the mirror's scheme and authority, as the directory publishes it: {@code
 *     coap://[fd00::1]}
 * @param identityKey the file of the mirror's own P-256 key, made on the first start with rights
 *     for its owner only
 */
public record MirrorConfig(Map<String, Domain> domains, String base, Path identityKey) {
  public MirrorConfig {
    domains = Map.copyOf(domains);
  }

  public static MirrorConfig of(List<Domain> domains, String base, Path identityKey) {
    return new MirrorConfig(
        domains.stream().collect(Collectors.toMap(Domain::name, Function.identity())),
        base,
        identityKey);
  }
}
