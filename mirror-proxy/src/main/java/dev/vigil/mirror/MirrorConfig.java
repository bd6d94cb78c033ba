package dev.vigil.mirror;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * @param domains by name; a registration that names another is refused
 * @param identityKey the file of the mirror's own P-256 key, made on the first start with rights
 *     for its owner only
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
