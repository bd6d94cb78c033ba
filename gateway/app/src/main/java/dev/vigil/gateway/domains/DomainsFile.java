package dev.vigil.gateway.domains;

import dev.vigil.mirror.model.keys.TrustPolicy;
import java.util.Map;

/**
 * The domains of the settings file.
 *
 * @param trust trust policy of domains that set none
 * @param domains by name; empty is the name of the unnamed domain, which is always there
 */
public record DomainsFile(TrustPolicy trust, Map<String, DomainProperties> domains) {
  public DomainsFile {
    domains = Map.copyOf(domains);
  }
}
