package dev.vigil.gateway.http;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.api.RequestBodies;
import dev.vigil.gateway.credentials.CredentialVerifier;
import dev.vigil.gateway.credentials.Credentials;
import dev.vigil.gateway.problems.ProblemDetails;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the {@link ConnectionTable} when a request begins and ends, lets {@link ProblemDetails}
 * close the connection, and sets the security headers before Tomcat looks at the request. A servlet
 * filter would not see requests that Tomcat answers itself, for instance malformed requests.
 */
final class ConnectionAdapter implements Adapter {
  private static final String RETRY_SECONDS = "5";
  private static final String HEALTH = "/actuator/health";

  private final Adapter next;
  private final ConnectionTable connections;
  private final Supplier<CredentialVerifier> verifier;

  ConnectionAdapter(
      Adapter next, ConnectionTable connections, Supplier<CredentialVerifier> verifier) {
    this.next = next;
    this.connections = connections;
    this.verifier = verifier;
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    SecurityHeaders.set(response);
    Runnable close = () -> response.action(ActionCode.CLOSE_NOW, null);
    request.setAttribute(ProblemDetails.CLOSE_NOW, close);
    InetSocketAddress client = client(request);
    InetAddress local = local(request);
    ClientConnection connection =
        client == null || local == null ? null : connections.of(local, client);
    if (client == null || connection == null) {
      next.service(request, response);
    } else {
      serve(request, response, connection, client.getAddress());
      finish(request, connection);
    }
  }

  private void serve(
      Request request, Response response, ClientConnection connection, InetAddress source)
      throws Exception {
    request.setAttribute(ClientConnection.ATTRIBUTE, connection);
    request.setAttribute(RequestBodies.BODY_READ, (Runnable) connection::bodyRead);
    if (connections.serve(connection, octets(request), () -> isReserved(request, source))) {
      if (!connection.hasPlace()) {
        response.setHeader("Connection", "close");
      }
      next.service(request, response);
    } else {
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      response.setHeader("Retry-After", RETRY_SECONDS);
      response.setContentLength(0);
    }
  }

  /**
   * Whether the reserve of connections serves the request: one for health, or one with valid
   * credentials.
   */
  private boolean isReserved(Request request, InetAddress source) {
    String path = String.valueOf(request.requestURI());
    if (path.equals(HEALTH) || path.startsWith(HEALTH + "/")) {
      return true;
    }
    try {
      Credentials presented =
          Credentials.of(request.getHeader("Authorization"), request.getHeader("Cookie"));
      return !(verifier.get().identify(presented, source) instanceof Caller.Anonymous);
    } catch (ErrorResponseException e) {
      return false;
    }
  }

  /** The announced length of a request's body; -1 when it is unknown until the end. */
  private static long octets(Request request) {
    try {
      return request.getHeader("Transfer-Encoding") != null
          ? -1
          : Math.max(0, request.getContentLengthLong());
    } catch (IllegalArgumentException e) {
      return 0; // Tomcat refuses the request.
    }
  }

  /** Null when the client has disconnected. */
  private static @Nullable InetSocketAddress client(Request request) {
    request.action(ActionCode.REQ_HOST_ADDR_ATTRIBUTE, request);
    request.action(ActionCode.REQ_REMOTEPORT_ATTRIBUTE, request);
    @Nullable String address = request.remoteAddr().toString();
    return address == null
        ? null
        : new InetSocketAddress(InetAddress.ofLiteral(address), request.getRemotePort());
  }

  /** Null when the client has disconnected. */
  private static @Nullable InetAddress local(Request request) {
    request.action(ActionCode.REQ_LOCAL_ADDR_ATTRIBUTE, request);
    @Nullable String address = request.localAddr().toString();
    return address == null ? null : InetAddress.ofLiteral(address);
  }

  @Override
  public boolean asyncDispatch(Request request, Response response, SocketEvent status)
      throws Exception {
    @Nullable Object connection = request.getAttribute(ClientConnection.ATTRIBUTE);
    boolean open = next.asyncDispatch(request, response, status);
    if (connection instanceof ClientConnection known) {
      finish(request, known);
    }
    return open;
  }

  private void finish(Request request, ClientConnection connection) {
    AtomicBoolean async = new AtomicBoolean();
    request.action(ActionCode.ASYNC_IS_ASYNC, async);
    if (!async.get()) {
      connections.served(connection);
    }
  }

  @Override
  public boolean prepare(Request request, Response response) throws Exception {
    return next.prepare(request, response);
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
