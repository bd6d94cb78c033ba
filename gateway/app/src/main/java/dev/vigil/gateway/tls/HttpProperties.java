package dev.vigil.gateway.tls;

import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.settings.SettingChecks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The HTTP and HTTPS servers.
 *
 * @param address to listen on. With TLS, HTTPS listens there and HTTP only on loopback
 * @param port of HTTP; 0: any free port
 * @param securePort of HTTPS; 0: any free port; default: 8443, or any free port if {@code port} is
 *     0
 * @param maxBody maximum octets of a request's body
 * @param allowedHosts names and addresses, without ports, to which the gateway answers, in addition
 *     to loopback, its own addresses and its certificate's names; {@code *.} stands for one label
 * @param allowedOrigins origins (RFC 6454) of other sites whose pages may use the REST API with a
 *     token; never with a cookie
 * @param publicUrl address under which people open the page, for links in messages; ends with a
 *     slash; empty: unknown
 * @param tls the certificate of HTTPS
 */
public record HttpProperties(
    @DefaultValue("127.0.0.1") String address,
    @DefaultValue("8080") int port,
    @DefaultValue("-1") int securePort,
    @DefaultValue("65536") int maxBody,
    @DefaultValue List<String> allowedHosts,
    @DefaultValue List<String> allowedOrigins,
    @DefaultValue("") String publicUrl,
    @DefaultValue TlsProperties tls) {
  private static final int NOT_GIVEN = -1;
  private static final int SECURE_PORT = 8443;

  /** A name, or an IPv6 address in brackets or without. */
  private static final Pattern HOST =
      Pattern.compile(
          "(\\*\\.)?[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  /** As browsers send it: in lower case, and without the default port of its scheme. */
  private static final Pattern ORIGIN =
      Pattern.compile(
          "(http://(?!.*:80$)|https://(?!.*:443$))([a-z0-9._-]+|\\[[0-9a-f:.]+])(:[1-9][0-9]{0,4})?");

  private static final Pattern PUBLIC_URL =
      Pattern.compile("https?://[A-Za-z0-9._:\\[\\]-]+(/[A-Za-z0-9._~/-]*)?");

  public HttpProperties {
    if (securePort == NOT_GIVEN) {
      securePort = port == 0 ? 0 : SECURE_PORT;
    }
    SettingChecks.port("http.port", port);
    SettingChecks.port("http.secure-port", securePort);
    SettingChecks.range("http.max-body", maxBody, 1024, 1 << 24);
    for (String host : allowedHosts) {
      if (!HOST.matcher(host).matches()) {
        throw new InvalidSettingException(
            "http.allowed-hosts",
            "takes host names and addresses without port, for instance gateway.example, *.example"
                + " or 192.0.2.1, not \"%s\"".formatted(host));
      }
    }
    allowedHosts = List.copyOf(allowedHosts);
    for (String origin : allowedOrigins) {
      if (!ORIGIN.matcher(origin).matches()) {
        throw new InvalidSettingException(
            "http.allowed-origins",
            "takes origins as browsers send them, for instance https://plant.example or"
                + " http://localhost:3000, not \"%s\"".formatted(origin));
      }
    }
    allowedOrigins = List.copyOf(allowedOrigins);
    if (!publicUrl.isEmpty()) {
      if (!PUBLIC_URL.matcher(publicUrl).matches()) {
        throw new InvalidSettingException(
            "http.public-url",
            "takes an address such as https://gateway.example/, not \"%s\"".formatted(publicUrl));
      }
      publicUrl = publicUrl.endsWith("/") ? publicUrl : publicUrl + "/";
    }
  }

  /**
   * The address of the unencrypted HTTP server.
   *
   * @throws IllegalArgumentException when the address cannot be resolved
   */
  public InetAddress plainAddress() {
    InetAddress listening = listeningAddress();
    return tls.isOn() && !listening.isLoopbackAddress()
        ? InetAddress.getLoopbackAddress()
        : listening;
  }

  /**
   * The address of the HTTPS server, and without TLS also of the HTTP server.
   *
   * @throws IllegalArgumentException when the address cannot be resolved
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
