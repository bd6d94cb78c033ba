package dev.vigil.coap.observe;

import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.message.CaliforniumMessages;
import dev.vigil.coap.message.RenderedResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A response for all observers of a request; their notifications share its serialised form. */
final class NotificationTemplate {
  private static final byte[] NO_PAYLOAD = {};

  private final Response response;
  private final long position;
  private final int sequenceNumber;
  private final Response summary;
  private final Notification.@Nullable SharedContent sharedContent;

  /**
   * @param position of the response among the events of its {@link ObservedRequest}
   * @param sequenceNumber value of the Observe option (RFC 7641 section 4.4)
   */
  NotificationTemplate(Response response, long position, int sequenceNumber) {
    this.response = response;
    this.position = position;
    this.sequenceNumber = sequenceNumber;
    this.summary = summary(response);
    this.sharedContent =
        response.code().isSuccess() && response.payload().length <= RenderedResponse.MAX_PAYLOAD
            ? new Notification.SharedContent(message(List.of()))
            : null;
  }

  Response response() {
    return response;
  }

  long position() {
    return position;
  }

  /** The response's {@link #summary(Response) summary}. */
  Response summary() {
    return summary;
  }

  /** The notification for clients whose requests have neither ETag nor Block2. */
  org.eclipse.californium.core.coap.Response message() {
    return sharedContent == null ? message(List.of()) : new Notification(sharedContent);
  }

  /**
   * @param knownTags the ETags in the client's request
   */
  org.eclipse.californium.core.coap.Response message(List<byte[]> knownTags) {
    var message = CaliforniumMessages.response(response, knownTags);
    if (response.code().isSuccess()) {
      message.getOptions().setObserve(sequenceNumber);
    }
    return message;
  }

  /**
   * The parts of a response that show whether the next response differs. If the response has an
   * ETag, they exclude the payload, so that ten thousand observations need not keep it.
   */
  static Response summary(Response response) {
    return response.tag() == null
        ? response
        : new Response(
            response.code(),
            response.format(),
            NO_PAYLOAD,
            response.tag(),
            Response.NO_MAX_AGE,
            List.of(),
            null);
  }

  /**
   * @param last summary of an earlier response
   */
  boolean isSameAs(Response last) {
    return last == summary
        || last.code() == response.code()
            && last.format() == response.format()
            && Objects.equals(last.tag(), response.tag())
            && (response.tag() != null || Arrays.equals(last.payload(), response.payload()));
  }
}
