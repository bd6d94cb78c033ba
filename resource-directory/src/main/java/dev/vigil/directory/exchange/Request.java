package dev.vigil.directory.exchange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request, whatever carried it.
 *
 * @param path the segments of the path, percent-decoded
 * @param format the format of the payload, null when none was named. An unknown one never gets
 *     here: the adapters answer 4.15
 * @param payload never changed by anyone
 * @param accept the formats the client takes, most wanted first; empty when it takes any
 * @param confirmable whether the client waits for an acknowledgement (always over HTTP)
 * @param base scheme and authority as the client reached us, for instance {@code
 *     coap://[2001:db8::1]}, without the scheme's default port; empty where the adapter does not
 *     know. Links of our own that must be absolute begin with it
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

  /** A request of which nobody knows how it reached us. */
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

  /** As it would be asked again, for an observer. */
  public String pathAsText() {
    return "/" + String.join("/", path);
  }

  /**
   * The first format the client takes among those offered; the first offered when it takes any.
   *
   * @throws ExchangeException 4.06 when none fits
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
                new ExchangeException(
                    Code.NOT_ACCEPTABLE,
                    "offered: "
                        + String.join(
                            ", ",
                            offered.stream().map(f -> f.number() + " " + f.mediaType()).toList())));
  }
}
