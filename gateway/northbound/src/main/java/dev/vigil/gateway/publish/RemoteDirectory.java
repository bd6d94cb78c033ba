package dev.vigil.gateway.publish;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.LinkFormatException;
import dev.vigil.coap.server.ClientRequest;
import dev.vigil.coap.server.ClientResponse;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client of another resource directory (RFC 9176). It blocks until the response and is for one
 * thread.
 */
final class RemoteDirectory {
  private static final String REGISTRATION = "core.rd";
  private static final LinkFormat.Limits LIMITS = new LinkFormat.Limits(65_536, 1000, 64);
  private static final byte[] NO_PAYLOAD = {};

  private final URI server;
  private final Function<ClientRequest, CompletableFuture<ClientResponse>> client;
  private @Nullable List<String> registrations;

  /**
   * @param server address whose path is the registration resource; with an empty path the resource
   *     is discovered
   * @param client sends a request, for instance {@code CoapClient::send}
   */
  RemoteDirectory(URI server, Function<ClientRequest, CompletableFuture<ClientResponse>> client) {
    this.server = server;
    this.client = client;
    List<String> path = segments(server.getPath());
    this.registrations = path.isEmpty() ? null : path;
  }

  /** Thrown when the directory answered with an error code. */
  static final class RefusedException extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1L;
    private final String code;

    RefusedException(String action, ClientResponse response) {
      super(action + " was answered " + response.code());
      this.code = response.code();
    }

    String code() {
      return code;
    }
  }

  /**
   * The address in the settings; it identifies the directory in messages and in the stored state.
   */
  String address() {
    return server.toString();
  }

  /** Returns the location of the registration, as path segments. */
  List<String> register(DesiredRegistration desired, long lifetime)
      throws IOException, InterruptedException {
    List<String> path = registrations;
    if (path == null) {
      path = discover();
      registrations = path;
    }
    List<Query.Parameter> query = new ArrayList<>(desired.parameters());
    query.add(lifetime(lifetime));
    ClientResponse response =
        ask(Method.POST, path, query, ContentFormat.LINK_FORMAT, desired.links());
    if (!response.isSuccess() || response.location().isEmpty()) {
      if (response.code().equals("4.04") && segments(server.getPath()).isEmpty()) {
        registrations = null;
      }
      throw new RefusedException("registering", response);
    }
    return response.location();
  }

  void renew(List<String> location, long lifetime) throws IOException, InterruptedException {
    require("renewing", ask(Method.POST, location, List.of(lifetime(lifetime)), null, NO_PAYLOAD));
  }

  void remove(List<String> location) throws IOException, InterruptedException {
    require("removing", ask(Method.DELETE, location, List.of(), null, NO_PAYLOAD));
  }

  private static void require(String action, ClientResponse response) throws RefusedException {
    if (!response.isSuccess()) {
      throw new RefusedException(action, response);
    }
  }

  /** Finds the registration resource (RFC 9176 section 4.3). */
  private List<String> discover() throws IOException, InterruptedException {
    Query.Parameter type = new Query.Parameter("rt", REGISTRATION);
    ClientResponse response =
        ask(Method.GET, List.of(".well-known", "core"), List.of(type), null, NO_PAYLOAD);
    require("discovery", response);
    try {
      return LinkFormat.parse(response.payload(), LIMITS).stream()
          .filter(link -> link.attribute("rt").filter(RemoteDirectory::isRegistration).isPresent())
          .map(Link::target)
          .filter(target -> target.startsWith("/"))
          .findFirst()
          .map(RemoteDirectory::segments)
          .orElseThrow(
              () -> new IOException("its /.well-known/core has no link with rt=" + REGISTRATION));
    } catch (LinkFormatException e) {
      throw new IOException("its /.well-known/core is malformed", e);
    }
  }

  private static boolean isRegistration(String types) {
    return List.of(types.split(" ")).contains(REGISTRATION);
  }

  /**
   * The segments of a path; a trailing slash produces an empty last segment (RFC 7252 section 6.4).
   */
  private static List<String> segments(@Nullable String path) {
    return path == null || path.length() <= 1
        ? List.of()
        : List.of(path.substring(1).split("/", -1));
  }

  private static Query.Parameter lifetime(long seconds) {
    return new Query.Parameter("lt", Long.toString(seconds));
  }

  /**
   * @throws RuntimeException when the request cannot be sent to any server
   */
  private ClientResponse ask(
      Method method,
      List<String> path,
      List<Query.Parameter> query,
      @Nullable ContentFormat format,
      byte[] payload)
      throws IOException, InterruptedException {
    ClientRequest request =
        new ClientRequest(method, server, path, new Query(query), format, payload);
    try {
      return client.apply(request).get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException unanswered -> throw unanswered;
        case RuntimeException unsendable -> throw unsendable;
        case null, default -> throw new IOException("cannot send the request", e.getCause());
      }
    }
  }
}
