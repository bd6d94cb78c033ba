package dev.vigil.coap.exchange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request, independent of the protocol that carried it.
 *
 * @param path the segments of the path, percent-decoded
 * @param format the format of the payload; null if the request names none. Requests with unknown
 *     formats are answered 4.15 before they become a {@code Request}
 * @param payload must not be changed
 * @param accept the formats that the client accepts, preferred ones first; empty for any
 * @param confirmable whether the client waits for an acknowledgement (always over HTTP)
 * @param base scheme and authority by which the client reached the server, for instance {@code
 *     coap://[2001:db8::1]}, without the scheme's default port; empty if unknown. The server's own
 *     absolute links begin with it
 */
public record Request(
    Method method,
    List<String> path,
    Query query,
    @Nullable ContentFormat format,
    byte[] payload,
    List<ContentFormat> accept,
    boolean confirmable,
    Caller caller,
    String base) {

  public Request {
    path = List.copyOf(path);
    accept = List.copyOf(accept);
  }

  /** A request with an unknown base. */
  public Request(
      Method method,
      List<String> path,
      Query query,
      @Nullable ContentFormat format,
      byte[] payload,
      List<ContentFormat> accept,
      boolean confirmable,
      Caller caller) {
    this(method, path, query, format, payload, accept, confirmable, caller, "");
  }

  /** The same request of another caller. */
  public Request from(Caller other) {
    return new Request(method, path, query, format, payload, accept, confirmable, other, base);
  }

  /** The path as one string, for logs and diagnostics. */
  public String pathAsText() {
    return "/" + String.join("/", path);
  }

  /**
   * Returns the client's preferred format among the offered ones, or the first offered one if the
   * client accepts any.
   *
   * @throws ErrorResponseException 4.06 if the client accepts none of them
   */
  public ContentFormat choose(List<ContentFormat> offered) {
    if (accept.isEmpty()) {
      return offered.getFirst();
    }
    return accept.stream()
        .filter(offered::contains)
        .findFirst()
        .orElseThrow(
            () ->
                new ErrorResponseException(
                    Code.NOT_ACCEPTABLE,
                    "offered: "
                        + String.join(
                            ", ",
                            offered.stream().map(f -> f.number() + " " + f.mediaType()).toList())));
  }
}
