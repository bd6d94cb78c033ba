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
 */
public record Request(
    Method method,
    List<String> path,
    Query query,
    @Nullable ContentFormat format,
    byte[] payload,
    List<ContentFormat> accept,
    boolean confirmable,
    Caller caller) {

  public Request {
    path = List.copyOf(path);
    accept = List.copyOf(accept);
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
