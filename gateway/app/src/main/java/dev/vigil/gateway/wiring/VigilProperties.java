package dev.vigil.gateway.wiring;

import dev.vigil.gateway.accounts.AccountProperties;
import dev.vigil.gateway.aggregates.HistoryProperties;
import dev.vigil.gateway.automations.actions.AutomationProperties;
import dev.vigil.gateway.bridge.BorderProperties;
import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.coap.CoapProperties;
import dev.vigil.gateway.domains.DomainProperties;
import dev.vigil.gateway.metrics.MetricsProperties;
import dev.vigil.gateway.publish.MirrorProperties;
import dev.vigil.gateway.tls.HttpProperties;
import dev.vigil.gateway.tracing.TracingProperties;
import dev.vigil.gateway.webpush.WebPushProperties;
import dev.vigil.mirror.model.keys.TrustPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All settings.
 *
 * @param dataDir the folder of all state; created if it is missing
 * @param trust trust policy of the unnamed domain, and of domains that set none
 * @param operatorTokenFile a file with the operator's token, for instance a container's secret;
 *     only its owner may read it. Empty: {@code operator.token} in the data folder, made on the
 *     first start
 * @param identityFile a file with the gateway's identity key, for instance a container's secret;
 *     only its owner may read it. Empty: {@code identity.jwk} in the data folder, made on the first
 *     start
 * @param anonymousRead whether anyone may look up and read, in domains that set no {@code read}
 * @param domains by name
 * @param defaultDomain the unnamed domain, for endpoints that name none; it always exists
 */
@ConfigurationProperties(prefix = "vigil", ignoreUnknownFields = false)
public record VigilProperties(
    @DefaultValue("data") String dataDir,
    @DefaultValue("approve") TrustPolicy trust,
    @DefaultValue("") String operatorTokenFile,
    @DefaultValue("") String identityFile,
    @DefaultValue("false") boolean anonymousRead,
    @DefaultValue AccountProperties accounts,
    @DefaultValue CoapProperties coap,
    @DefaultValue HttpProperties http,
    @DefaultValue Map<String, DomainProperties> domains,
    @DefaultValue DomainProperties defaultDomain,
    @DefaultValue BorderProperties border,
    @DefaultValue MirrorProperties mirror,
    @DefaultValue ClusterProperties cluster,
    @DefaultValue HistoryProperties history,
    @DefaultValue NorthboundProperties northbound,
    @DefaultValue WebPushProperties webPush,
    @DefaultValue AutomationProperties automations,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue TracingProperties tracing,
    @DefaultValue LogProperties log) {

  public VigilProperties {
    if (dataDir.isBlank()) {
      throw new IllegalArgumentException("data-dir must name a folder, for instance ./data");
    }
    domains = Map.copyOf(domains);
  }

  /** All domains by name; empty is the name of the unnamed domain. */
  Map<String, DomainProperties> allDomains() {
    Map<String, DomainProperties> all = new HashMap<>(domains);
    all.put("", defaultDomain);
    return all;
  }

  public Path dataFolder() {
    return Path.of(dataDir).toAbsolutePath().normalize();
  }
}
