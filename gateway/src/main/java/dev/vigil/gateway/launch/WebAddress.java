package dev.vigil.gateway.launch;

import dev.vigil.gateway.config.VigilProperties;
import java.util.List;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

@Component
@Order(Listening.HTTP)
class WebAddress implements Listening {
  private final WebServerApplicationContext context;
  private final String host;

  WebAddress(WebServerApplicationContext context, VigilProperties properties) {
    this.context = context;
    this.host = properties.http().address();
  }

  @Override
  public List<String> addresses() {
    WebServer server = context.getWebServer();
    if (server == null) {
      return List.of();
    }
    String reachable = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    String literal = reachable.indexOf(':') < 0 ? reachable : "[" + reachable + "]";
    return List.of("http://" + literal + ":" + server.getPort());
  }
}
