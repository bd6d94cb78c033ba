package dev.vigil.gateway.wiring;

import dev.vigil.gateway.access.AccessSettings;
import dev.vigil.gateway.access.PolicySettings;
import dev.vigil.gateway.accounts.AccountProperties;
import dev.vigil.gateway.aggregates.HistoryProperties;
import dev.vigil.gateway.automations.actions.AutomationProperties;
import dev.vigil.gateway.bridge.BorderProperties;
import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.coap.CoapProperties;
import dev.vigil.gateway.domains.DomainsFile;
import dev.vigil.gateway.identity.IdentityProperties;
import dev.vigil.gateway.metrics.MetricsProperties;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.email.EmailProperties;
import dev.vigil.gateway.northbound.influx.InfluxProperties;
import dev.vigil.gateway.northbound.kafka.KafkaProperties;
import dev.vigil.gateway.northbound.mqtt.MqttProperties;
import dev.vigil.gateway.northbound.webhook.WebhookProperties;
import dev.vigil.gateway.oidc.OidcProperties;
import dev.vigil.gateway.publish.MirrorProperties;
import dev.vigil.gateway.tls.HttpProperties;
import dev.vigil.gateway.tracing.TracingProperties;
import dev.vigil.gateway.webpush.WebPushProperties;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives each feature its own settings; no feature sees the settings of another. */
@Configuration(proxyBeanMethods = false)
class PropertiesConfiguration {
  @Bean
  AccessSettings accessSettings(VigilProperties all) {
    Map<String, PolicySettings> domains = new HashMap<>();
    all.allDomains().forEach((name, domain) -> domains.put(name, domain.policy()));
    return new AccessSettings(
        all.accounts().operatorToken(), all.operatorTokenFile(), all.anonymousRead(), domains);
  }

  @Bean
  DomainsFile domainsFile(VigilProperties all) {
    return new DomainsFile(all.trust(), all.allDomains());
  }

  @Bean
  AccountProperties accountProperties(VigilProperties all) {
    return all.accounts();
  }

  @Bean
  OidcProperties oidcProperties(VigilProperties all) {
    return all.accounts().oidc();
  }

  @Bean
  ClusterProperties clusterProperties(VigilProperties all) {
    return all.cluster();
  }

  @Bean
  CoapProperties coapProperties(VigilProperties all) {
    return all.coap();
  }

  @Bean
  HttpProperties httpProperties(VigilProperties all) {
    return all.http();
  }

  @Bean
  BorderProperties borderProperties(VigilProperties all) {
    return all.border();
  }

  @Bean
  HistoryProperties historyProperties(VigilProperties all) {
    return all.history();
  }

  @Bean
  MirrorProperties mirrorProperties(VigilProperties all) {
    return all.mirror();
  }

  @Bean
  IdentityProperties identityProperties(VigilProperties all) {
    return new IdentityProperties(all.identityFile());
  }

  @Bean
  MetricsProperties metricsProperties(VigilProperties all) {
    return all.metrics();
  }

  @Bean
  TracingProperties tracingProperties(VigilProperties all) {
    return all.tracing();
  }

  @Bean
  WebPushProperties webPushProperties(VigilProperties all) {
    return all.webPush();
  }

  @Bean
  AutomationProperties automationProperties(VigilProperties all) {
    return all.automations();
  }

  @Bean
  DestinationSettings<MqttProperties> mqttBrokers(VigilProperties all) {
    return new DestinationSettings<>(all.northbound().mqtt());
  }

  @Bean
  DestinationSettings<WebhookProperties> webhooks(VigilProperties all) {
    return new DestinationSettings<>(all.northbound().webhook());
  }

  @Bean
  DestinationSettings<KafkaProperties> kafkaClusters(VigilProperties all) {
    return new DestinationSettings<>(all.northbound().kafka());
  }

  @Bean
  DestinationSettings<InfluxProperties> influxDatabases(VigilProperties all) {
    return new DestinationSettings<>(all.northbound().influxdb());
  }

  @Bean
  DestinationSettings<EmailProperties> emailReceivers(VigilProperties all) {
    return new DestinationSettings<>(all.northbound().email());
  }
}
