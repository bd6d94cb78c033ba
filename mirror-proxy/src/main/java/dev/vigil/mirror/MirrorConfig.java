package dev.vigil.mirror;

import dev.vigil.mirror.model.Domain;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * @param domains by name; a registration in any other domain is refused
 * @param identityKey the file of the mirror's own P-256 key, created on the first start and
 *     readable by its owner only
 */
public record MirrorConfig(Map<String, Domain> domains, Path identityKey) {
  public MirrorConfig {
    domains = Map.copyOf(domains);
  }

  public static MirrorConfig of(List<Domain> domains, Path identityKey) {
    return new MirrorConfig(
        domains.stream().collect(Collectors.toMap(Domain::name, Function.identity())), identityKey);
  }
}
