package dev.vigil.gateway.http;

import dev.vigil.gateway.credentials.CredentialVerifier;
import dev.vigil.gateway.tls.HttpProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;
import org.apache.catalina.core.StandardHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
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

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> protocol(
      LongSupplier nanoTime, ObjectProvider<CredentialVerifier> credentials) {
    return factory -> {
      factory.setProtocol(GatewayProtocol.class.getName());
      factory.addProtocolHandlerCustomizers(
          handler -> {
            if (handler instanceof GatewayProtocol protocol) {
              protocol.protect(nanoTime, credentials::getObject);
            }
          });
    };
  }

  /** HTTP listens beyond loopback only if the settings say so and name no certificate. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> listeners(
      HttpProperties http,
      CertificateRenewal renewal,
      LongSupplier nanoTime,
      ObjectProvider<CredentialVerifier> credentials) {
    return factory -> {
      factory.setAddress(http.plainAddress());
      if (http.tls().isOn()) {
        try {
          GatewayProtocol protocol = new GatewayProtocol();
          protocol.protect(nanoTime, credentials::getObject);
          factory.addAdditionalConnectors(renewal.connector(protocol, http));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      } else if (!http.listeningAddress().isLoopbackAddress()) {
        log.warn(
            "vigil.http.address is {} without encryption: credentials cross the network in clear"
                + " text. Set vigil.http.tls.certificate and vigil.http.tls.key, or"
                + " vigil.http.tls.generate, or make sure that"
                + " only a TLS proxy can reach port {}",
            http.address(),
            http.port());
      }
    };
  }
}
