package dev.vigil.gateway.directory;

import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.coap.CoapClient;
import dev.vigil.directory.coap.CoapFetcher;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.state.Store;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.site.Mount;
import dev.vigil.mirror.MirrorProxy;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DirectoryConfiguration {
  /** Told of the CoAP front when that serves, which needs the directory first. */
  @Bean
  CoapFetcher fetcher() {
    return new CoapFetcher();
  }

  /** Told of the front too; asks other servers. */
  @Bean
  CoapClient client() {
    return new CoapClient();
  }

  @Bean
  Directory directory(
      Store store,
      Topics topics,
      Access access,
      VigilProperties properties,
      Clock clock,
      CoapFetcher fetcher,
      MirrorProxy mirror) {
    DirectoryConfig usual = DirectoryConfig.standard();
    DirectoryConfig config =
        new DirectoryConfig(
            properties.mirror().base(),
            usual.grace(),
            usual.maxRegistrations(),
            usual.links(),
            usual.maxResults(),
            usual.changesPerSource(),
            usual.burstSeconds());
    return new Directory(
        store,
        topics,
        access,
        config,
        clock,
        List.of(mirror::wellKnownLinks),
        Optional.of(fetcher));
  }

  @Bean
  Mount directoryResources(Directory directory) {
    return new Mount(directory.resources());
  }
}
