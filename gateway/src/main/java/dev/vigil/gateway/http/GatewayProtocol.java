package dev.vigil.gateway.http;

import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11NioProtocol;

/** HTTP/1.1 as Tomcat speaks it, for HTTP and HTTPS. Tomcat instantiates it by its class name. */
public final class GatewayProtocol extends Http11NioProtocol {
  @Override
  public void setAdapter(Adapter adapter) {
    super.setAdapter(new SecurityHeadersAdapter(adapter));
  }
}
