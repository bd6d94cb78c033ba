package dev.vigil.gateway.addresses;

import dev.vigil.gateway.listening.ListeningAddress;
import dev.vigil.gateway.tls.HttpProperties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

@Component
@Order(ListeningAddress.HTTP)
class HttpListeningAddress implements ListeningAddress {
  private final WebServerApplicationContext context;
  private final String plainHost;
  private final String secureHost;

  HttpListeningAddress(WebServerApplicationContext context, HttpProperties http) {
    this.context = context;
    boolean plainOnly = !http.tls().isOn();
    this.secureHost = http.address();
    this.plainHost = plainOnly ? secureHost : http.plainAddress().getHostAddress();
  }

  @Override
  public List<String> addresses() {
    WebServer server = context.getWebServer();
    if (server == null) {
      return List.of();
    }
    List<String> addresses = new ArrayList<>();
    addresses.add("http://" + reachable(plainHost) + ":" + server.getPort());
    if (server instanceof TomcatWebServer tomcat) {
      Arrays.stream(tomcat.getTomcat().getService().findConnectors())
          .filter(Connector::getSecure)
          .map(secure -> "https://" + reachable(secureHost) + ":" + secure.getLocalPort())
          .forEach(addresses::add);
    }
    return addresses;
  }

  /** A wildcard is shown as loopback, where a reader of the line can connect. */
  private static String reachable(String host) {
    String reachable = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    return reachable.indexOf(':') < 0 ? reachable : "[" + reachable + "]";
  }
}
