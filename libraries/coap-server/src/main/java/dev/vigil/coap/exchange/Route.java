package dev.vigil.coap.exchange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource, the paths that it answers, and the properties of those paths that a server needs.
 * Properties are data, so that no server code names a path.
 *
 * @param path for instance {@code /sensors}; a last segment of {@code *}, as in {@code /sensors/*},
 *     stands for one or more segments
 * @param keySegment index of the path segment that names the state which a request changes.
 *     Requests other than GET with the same value of this segment run one at a time, in the order
 *     of their arrival. {@link #NO_KEY} if the order does not matter
 * @param fastPath whether requests and responses of this route usually fit into one datagram each
 *     and are answered at once, so that the fast path serves them. A GET with a query is excluded,
 *     because a filter may take long and select much
 * @param multicast whether a GET sent to a multicast group is answered (RFC 7252 section 8); on all
 *     other routes it is ignored
 */
public record Route(
    String path, Resource resource, int keySegment, boolean fastPath, boolean multicast) {
  /** The {@code keySegment} of routes whose requests are not serialised. */
  public static final int NO_KEY = -1;

  /**
   * @throws IllegalArgumentException for a path that does not begin with {@code /}
   */
  public Route {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("the path of a route begins with '/', not " + path);
    }
  }

  /** A route without serialisation, fast path and multicast. */
  public static Route of(String path, Resource resource) {
    return new Route(path, resource, NO_KEY, false, false);
  }

  public Route withKeySegment(int newKeySegment) {
    return new Route(path, resource, newKeySegment, fastPath, multicast);
  }

  public Route withFastPath() {
    return new Route(path, resource, keySegment, true, multicast);
  }

  public Route withMulticast() {
    return new Route(path, resource, keySegment, fastPath, true);
  }

  public boolean allowsFastPath(Method method, Query query) {
    return fastPath && (method != Method.GET || query.parameters().isEmpty());
  }

  /**
   * The key by which a request is serialised; null if it need not wait for others.
   *
   * @param requestPath a path that this route matches
   */
  public @Nullable String serialKey(Method method, List<String> requestPath) {
    boolean serialised =
        method != Method.GET && keySegment != NO_KEY && requestPath.size() > keySegment;
    return serialised ? requestPath.get(keySegment) : null;
  }
}
