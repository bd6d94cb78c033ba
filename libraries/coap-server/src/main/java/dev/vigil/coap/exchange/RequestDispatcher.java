package dev.vigil.coap.exchange;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.log.RateLimitedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a path and lets its resource answer. This is the only place where an error
 * becomes a response. A route with exactly this path takes precedence over routes that end in
 * {@code /*}; among those, the longest wins.
 */
public final class RequestDispatcher {
  private static final RateLimitedLog log = RateLimitedLog.of(RequestDispatcher.class);
  private static final String ANY = "*";

  /** The route of paths that no other route matches. */
  private static final Route NOT_FOUND = Route.of("/*", RequestDispatcher::notFound);

  /** The empty path. Not changed after construction. */
  private final Node root = new Node();

  /** By route. Not changed after construction. */
  private final Map<Route, ResponseCounter> counters = new IdentityHashMap<>();

  /** A node of the tree of paths; one node for each path segment. */
  private static final class Node {
    final Map<String, Node> children = new HashMap<>();

    /** The route whose path ends here. */
    @Nullable Route exact;

    /** The route of the paths below. */
    @Nullable Route below;
  }

  private final RequestTracer tracer;

  /**
   * @throws IllegalArgumentException when two routes have the same path
   */
  public RequestDispatcher(List<Route> routes) {
    this(routes, RequestTracer.NONE);
  }

  /**
   * @throws IllegalArgumentException when two routes have the same path
   */
  public RequestDispatcher(List<Route> routes, RequestTracer tracer) {
    this.tracer = tracer;
    routes.forEach(this::add);
    routes.forEach(route -> counters.put(route, new ResponseCounter()));
    counters.put(NOT_FOUND, new ResponseCounter());
  }

  private void add(Route route) {
    Node node = root;
    for (String segment : route.path().substring(1).split("/")) {
      if (segment.equals(ANY)) {
        requireFree(node.below, route);
        node.below = route;
        return;
      }
      node = node.children.computeIfAbsent(segment, any -> new Node());
    }
    requireFree(node.exact, route);
    node.exact = route;
  }

  private static void requireFree(@Nullable Route known, Route added) {
    if (known != null) {
      throw new IllegalArgumentException("two routes have the path " + added.path());
    }
  }

  /**
   * Finds the route of a path; if none matches, returns a route whose resource answers 4.04.
   * Allocates nothing, because it is called for each request.
   */
  public Route route(List<String> path) {
    Route longest = NOT_FOUND;
    Node node = root;
    for (int i = 0; i < path.size(); i++) {
      if (node.below != null) {
        longest = node.below;
      }
      Node child = node.children.get(path.get(i));
      if (child == null) {
        return longest;
      }
      node = child;
    }
    return node.exact == null ? longest : node.exact;
  }

  /** The response; never completes exceptionally. */
  public CompletableFuture<Response> answer(Request request) {
    return answer(route(request.path()), request);
  }

  /**
   * The response for a known route; never completes exceptionally.
   *
   * @param route the route of the request's path
   */
  public CompletableFuture<Response> answer(Route route, Request request) {
    return answer(route, request, 0);
  }

  /**
   * The response to a request that arrived in a datagram; never completes exceptionally.
   *
   * @param route the route of the request's path
   * @param receivedNanos monotonic time at which the datagram arrived; 0 if unknown
   */
  public CompletableFuture<Response> answer(Route route, Request request, long receivedNanos) {
    if (!route.allowsFastPath(request.method(), request.query())) {
      // An answer that may take long must not delay requests that were begun earlier.
      Deferral.complete();
    }
    return tracer == RequestTracer.NONE
        ? resourceAnswer(route, request)
        : tracer.trace(route, request, receivedNanos, () -> resourceAnswer(route, request));
  }

  private CompletableFuture<Response> resourceAnswer(Route route, Request request) {
    CompletableFuture<Response> response;
    try {
      response = route.resource().answer(request);
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(counted(route, failure(request, e)));
    }
    if (response.isDone() && !response.isCompletedExceptionally()) {
      counted(route, response.join());
      return response;
    }
    return response.handle(
        (answer, thrown) -> counted(route, thrown == null ? answer : failure(request, thrown)));
  }

  private Response counted(Route route, Response response) {
    ResponseCounter counter = counters.get(route);
    if (counter != null) {
      counter.add(response.code());
    }
    return response;
  }

  /**
   * The paths of the routes, and {@code /*} for requests that no route matches. Metrics use them as
   * tags.
   */
  public List<String> routePaths() {
    List<String> paths = new ArrayList<>(counters.keySet().stream().map(Route::path).toList());
    paths.sort(null);
    return paths;
  }

  /**
   * The number of responses of a route since the start.
   *
   * @param path one of {@link #routePaths}
   */
  public long responses(String path, Code code) {
    return counters.entrySet().stream()
        .filter(entry -> entry.getKey().path().equals(path))
        .mapToLong(entry -> entry.getValue().count(code))
        .sum();
  }

  private static CompletableFuture<Response> notFound(Request request) {
    throw new ErrorResponseException(Code.NOT_FOUND, "no resource at " + request.pathAsText());
  }

  private static Response failure(Request request, Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    if (cause instanceof ErrorResponseException e) {
      return e.response();
    }
    log.error("{} {} failed", request.method(), request.pathAsText(), cause);
    return Response.diagnostic(Code.INTERNAL_SERVER_ERROR, "internal error; see the server's log");
  }
}
