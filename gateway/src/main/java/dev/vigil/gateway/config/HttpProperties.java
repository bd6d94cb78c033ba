package dev.vigil.gateway.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param address to listen on; loopback unless told otherwise. With TLS, HTTPS listens there and
 *     HTTP on loopback alone
 * @param port of HTTP; 0 takes a free one
 * @param securePort of HTTPS; 0 takes a free one; not given: 8443, or a free one where that of HTTP
 *     is one
 * @param maxBody octets of a request's body at the most
 * @param tls the certificate of HTTPS
 */
public record HttpProperties(
    @DefaultValue("127.0.0.1") String address,
    @DefaultValue("8080") int port,
    @DefaultValue("-1") int securePort,
    @DefaultValue("65536") int maxBody,
    @DefaultValue TlsProperties tls) {
  private static final int NOT_GIVEN = -1;
  private static final int SECURE_PORT = 8443;

  public HttpProperties {
    if (securePort == NOT_GIVEN) {
      securePort = port == 0 ? 0 : SECURE_PORT;
    }
    Check.port("http.port", port);
    Check.port("http.secure-port", securePort);
    Check.range("http.max-body", maxBody, 1024, 1 << 24);
  }

  /**
   * Where HTTP, which nobody encrypts, listens.
   *
   * @throws IllegalArgumentException when the address is none of this machine's names
   */
  public InetAddress plainAddress() {
    InetAddress told = listeningAddress();
    return tls.isOn() && !told.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : told;
  }

  /**
   * Where HTTPS listens, and HTTP too where there is no TLS.
   *
   * @throws IllegalArgumentException as above
   */
  public InetAddress listeningAddress() {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "http.address takes an address of this machine, not \"" + address + "\"", e);
    }
  }
}
