package dev.vigil.gateway.http;

import dev.vigil.gateway.config.HttpProperties;
import dev.vigil.gateway.config.VigilProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import org.apache.catalina.core.StandardHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ServerConfiguration {
  private static final Logger log = LoggerFactory.getLogger(ServerConfiguration.class);

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> plainErrors() {
    return factory ->
        factory.addContextCustomizers(
            context -> {
              if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(PlainErrorValve.class.getName());
              }
            });
  }

  /** HTTP leaves the machine only where the operator said so and gave no certificate. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> listeners(
      VigilProperties properties, Clock clock) {
    HttpProperties http = properties.http();
    return factory -> {
      factory.setAddress(http.plainAddress());
      if (http.tls().isOn()) {
        try {
          factory.addAdditionalConnectors(SecureServer.connector(http, clock));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      } else if (!http.listeningAddress().isLoopbackAddress()) {
        log.warn(
            "vigil.http.address is {}, and nothing encrypts what crosses the network there,"
                + " passwords neither: set vigil.http.tls.certificate and vigil.http.tls.key, or see"
                + " that only a proxy that does TLS can reach port {}",
            http.address(),
            http.port());
      }
    };
  }
}
