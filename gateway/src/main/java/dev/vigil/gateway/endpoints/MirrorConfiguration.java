package dev.vigil.gateway.endpoints;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.site.Mount;
import dev.vigil.gateway.store.SqliteStore;
import dev.vigil.mirror.Domain;
import dev.vigil.mirror.MirrorConfig;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.jose.Signatures;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class MirrorConfiguration {
  private static final Logger log = LoggerFactory.getLogger(MirrorConfiguration.class);
  private static final String NO_NAME = "";
  private static final String IDENTITY = "identity.jwk";

  /** The store comes first: it sets where native libraries unpack. */
  @Bean
  MirrorProxy mirror(
      SqliteStore store,
      Topics topics,
      Access access,
      VigilProperties properties,
      Clock clock,
      SecureRandom random) {
    Signatures signatures = new Signatures(Signatures.Choice.AUTO);
    MirrorConfig config = MirrorConfig.of(domains(properties), store.folder().resolve(IDENTITY));
    MirrorProxy mirror = new MirrorProxy(store, topics, access, config, clock, random, signatures);
    log.info("signatures: {}", signatures.description());
    log.info("identity of the mirror: {}", mirror.identity());
    return mirror;
  }

  @Bean
  Mount mirrorResources(MirrorProxy mirror) {
    return new Mount(mirror.resources());
  }

  private static List<Domain> domains(VigilProperties properties) {
    List<Domain> domains = new ArrayList<>();
    for (Map.Entry<String, DomainProperties> told : properties.domains().entrySet()) {
      domains.add(told.getValue().domain(told.getKey(), properties.trust()));
    }
    domains.add(properties.defaultDomain().domain(NO_NAME, properties.trust()));
    return domains;
  }
}
