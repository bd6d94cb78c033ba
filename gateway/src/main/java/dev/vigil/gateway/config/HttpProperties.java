package dev.vigil.gateway.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param address to listen on; loopback unless told otherwise, since this is not encrypted
 * @param port 0 takes a free one
 * @param maxBody octets of a request's body at the most
 */
public record HttpProperties(
    @DefaultValue("127.0.0.1") String address,
    @DefaultValue("8080") int port,
    @DefaultValue("65536") int maxBody) {

  public HttpProperties {
    Check.port("http.port", port);
    Check.range("http.max-body", maxBody, 1024, 1 << 24);
  }
}
