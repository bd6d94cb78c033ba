package dev.vigil.gateway.coap;

import dev.vigil.coap.server.CoapClient;
import dev.vigil.coap.server.CoapLinkFetcher;
import dev.vigil.coap.server.CoapServer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The CoAP clients of the gateway, which send from the sockets of its CoAP server. */
@Configuration(proxyBeanMethods = false)
class CoapClientConfiguration {
  /** The clients that are attached to the server while it runs. */
  record Clients(CoapLinkFetcher fetcher, CoapClient client) {
    void attach(@Nullable CoapServer server) {
      fetcher.attach(server);
      client.attach(server);
    }
  }

  @Bean
  CoapLinkFetcher coapLinkFetcher() {
    return new CoapLinkFetcher();
  }

  @Bean
  CoapClient coapClient() {
    return new CoapClient();
  }

  @Bean
  Clients coapClients(CoapLinkFetcher fetcher, CoapClient client) {
    return new Clients(fetcher, client);
  }
}
