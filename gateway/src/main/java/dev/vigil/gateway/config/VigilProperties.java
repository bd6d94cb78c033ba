package dev.vigil.gateway.config;

import dev.vigil.mirror.TrustPolicy;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param dataDir the folder of all state; made when there is none
 * @param trust how endpoints that name no domain come to be trusted, and those of domains that say
 *     nothing else
 * @param anonymousRead whether lookups and values are for everyone
 * @param domains by name
 * @param defaultDomain the one without a name, for endpoints that name none; always there
 */
@ConfigurationProperties(prefix = "vigil", ignoreUnknownFields = false)
public record VigilProperties(
    @DefaultValue("data") String dataDir,
    @DefaultValue("approve") TrustPolicy trust,
    @DefaultValue("false") boolean anonymousRead,
    @DefaultValue CoapProperties coap,
    @DefaultValue HttpProperties http,
    @DefaultValue Map<String, DomainProperties> domains,
    @DefaultValue DomainProperties defaultDomain,
    @DefaultValue BorderProperties border,
    @DefaultValue MirrorProperties mirror,
    @DefaultValue MetricsProperties metrics) {

  public VigilProperties {
    if (dataDir.isBlank()) {
      throw new IllegalArgumentException("data-dir names a folder, for instance ./data");
    }
    domains = Map.copyOf(domains);
  }

  public Path dataFolder() {
    return Path.of(dataDir).toAbsolutePath().normalize();
  }
}
