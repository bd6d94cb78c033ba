package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An answer as observers are told it, who may be many: what they share of it is made once. */
final class Notice {
  private static final byte[] NOTHING = {};

  private final Response answer;
  private final long place;
  private final int number;
  private final Response remembered;
  private final Notification.@Nullable Common common;

  /**
   * @param place in the order of what was asked
   * @param number its sequence number (RFC 7641 section 4.4)
   */
  Notice(Response answer, long place, int number) {
    this.answer = answer;
    this.place = place;
    this.number = number;
    this.remembered = remembered(answer);
    this.common =
        answer.code().isSuccess() && answer.payload().length <= Reply.ONE_MESSAGE
            ? new Notification.Common(messageFor(List.of()))
            : null;
  }

  Response answer() {
    return answer;
  }

  long place() {
    return place;
  }

  /** The answer without what nobody needs to know whether the next one says the same. */
  Response remembered() {
    return remembered;
  }

  /** For clients that said nothing but what they ask. */
  org.eclipse.californium.core.coap.Response message() {
    return common == null ? messageFor(List.of()) : new Notification(common);
  }

  /**
   * @param knownTags of answers that the client has
   */
  org.eclipse.californium.core.coap.Response messageFor(List<byte[]> knownTags) {
    var message = Messages.response(answer, knownTags);
    if (answer.code().isSuccess()) {
      message.getOptions().setObserve(number);
    }
    return message;
  }

  /** A tag stands for the payload, which ten thousand observers need not keep. */
  static Response remembered(Response answer) {
    return answer.tag() == null
        ? answer
        : new Response(
            answer.code(),
            answer.format(),
            NOTHING,
            answer.tag(),
            Response.NO_MAX_AGE,
            List.of(),
            null);
  }

  boolean saysTheSameAs(Response last) {
    return last == remembered
        || last.code() == answer.code()
            && last.format() == answer.format()
            && Objects.equals(last.tag(), answer.tag())
            && (answer.tag() != null || Arrays.equals(last.payload(), answer.payload()));
  }
}
