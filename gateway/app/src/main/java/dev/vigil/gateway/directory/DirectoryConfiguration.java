package dev.vigil.gateway.directory;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.coap.server.CoapLinkFetcher;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.gateway.exchange.RouteProvider;
import dev.vigil.gateway.publish.MirrorProperties;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DirectoryConfiguration {
  @Bean
  Directory directory(
      Store store,
      Topics topics,
      Access access,
      MirrorProperties settings,
      Clock clock,
      CoapLinkFetcher fetcher,
      MirrorProxy mirror,
      OwnAuthorities own) {
    PublishedLocation published =
        new PublishedLocation(settings.base(), "/ms", "/keys", ContentFormat.JWK, own);
    return new Directory(
        store,
        topics,
        access,
        DirectoryConfig.standard(published),
        clock,
        new LinkSources(List.of(mirror::wellKnownLinks), Optional.of(fetcher)));
  }

  @Bean
  RouteProvider directoryRoutes(Directory directory) {
    return new RouteProvider(directory.routes());
  }
}
