package dev.vigil.gateway.http;

import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/**
 * Sets the security headers before Tomcat looks at a request. A servlet filter would not see
 * requests that Tomcat answers itself, for instance malformed ones.
 */
final class SecurityHeadersAdapter implements Adapter {
  private final Adapter next;

  SecurityHeadersAdapter(Adapter next) {
    this.next = next;
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    SecurityHeaders.set(response);
    next.service(request, response);
  }

  @Override
  public boolean prepare(Request request, Response response) throws Exception {
    return next.prepare(request, response);
  }

  @Override
  public boolean asyncDispatch(Request request, Response response, SocketEvent status)
      throws Exception {
    return next.asyncDispatch(request, response, status);
  }

  @Override
  public void log(Request request, Response response, long time) {
    next.log(request, response, time);
  }

  @Override
  public void checkRecycled(Request request, Response response) {
    next.checkRecycled(request, response);
  }

  @Override
  public String getDomain() {
    return next.getDomain();
  }
}
