package dev.vigil.coap.exchange;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response, independent of the protocol that carries it.
 *
 * @param payload must not be changed; the one-line diagnostic if this is an error
 * @param maxAge seconds for which the response stays fresh, or {@link #NO_MAX_AGE}
 * @param location segments of the path of a created resource
 * @param topic changes when the same request would get another response; null if the resource is
 *     not observable
 * @param bySource whether the same request from another source address could get another response;
 *     observers at different addresses are then answered separately
 * @param refusal the reason of an error that a resource reported; null otherwise
 */
public record Response(
    Code code,
    @Nullable ContentFormat format,
    byte[] payload,
    @Nullable EntityTag tag,
    long maxAge,
    List<String> location,
    @Nullable Topic topic,
    boolean bySource,
    @Nullable ErrorResponseException refusal) {

  public static final long NO_MAX_AGE = -1;
  private static final byte[] NO_PAYLOAD = {};

  public Response {
    location = List.copyOf(location);
  }

  public Response(
      Code code,
      @Nullable ContentFormat format,
      byte[] payload,
      @Nullable EntityTag tag,
      long maxAge,
      List<String> location,
      @Nullable Topic topic) {
    this(code, format, payload, tag, maxAge, location, topic, false, null);
  }

  public static Response of(Code code) {
    return new Response(code, null, NO_PAYLOAD, null, NO_MAX_AGE, List.of(), null);
  }

  public static Response content(ContentFormat format, byte[] payload) {
    return new Response(Code.CONTENT, format, payload, null, NO_MAX_AGE, List.of(), null);
  }

  public static Response content(ContentFormat format, String payload) {
    return content(format, payload.getBytes(StandardCharsets.UTF_8));
  }

  public static Response created(List<String> location) {
    return new Response(Code.CREATED, null, NO_PAYLOAD, null, NO_MAX_AGE, location, null);
  }

  /** An error response; its diagnostic line has no content format (RFC 7252 section 5.5.2). */
  public static Response diagnostic(Code code, String line) {
    return new Response(
        code, null, line.getBytes(StandardCharsets.UTF_8), null, NO_MAX_AGE, List.of(), null);
  }

  public Response withPayload(ContentFormat newFormat, byte[] newPayload) {
    return new Response(
        code, newFormat, newPayload, tag, maxAge, location, topic, bySource, refusal);
  }

  public Response withTag(EntityTag newTag) {
    return new Response(code, format, payload, newTag, maxAge, location, topic, bySource, refusal);
  }

  public Response withMaxAge(long seconds) {
    return new Response(code, format, payload, tag, seconds, location, topic, bySource, refusal);
  }

  public Response observable(Topic newTopic) {
    return new Response(code, format, payload, tag, maxAge, location, newTopic, bySource, refusal);
  }

  /** As {@link #observable}, if the response depends on the source address of the request. */
  public Response observableBySource(Topic newTopic) {
    return new Response(code, format, payload, tag, maxAge, location, newTopic, true, refusal);
  }

  Response withRefusal(ErrorResponseException reason) {
    return new Response(code, format, payload, tag, maxAge, location, topic, bySource, reason);
  }
}
