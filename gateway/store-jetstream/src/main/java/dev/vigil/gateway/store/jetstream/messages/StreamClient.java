package dev.vigil.gateway.store.jetstream.messages;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusException;
import io.nats.client.Message;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamInfo;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests to the stream. Answers arrive on the client library's thread. */
public final class StreamClient {
  private static final String EXPECTED = "Nats-Expected-Last-Subject-Sequence";
  private static final String EXPECTED_STREAM = "Nats-Expected-Stream";

  /** A generous bound of the octets of a message's headers. */
  private static final int HEADERS = 512;

  /** The library forgets a request after this time; the submitter asks again much earlier. */
  private static final Duration FORGET = Duration.ofSeconds(30);

  private final Connection connection;
  private final String stream;

  /**
   * @param stream its name
   */
  public StreamClient(Connection connection, String stream) {
    this.connection = connection;
    this.stream = stream;
  }

  /** The servers' answer to a request. */
  public sealed interface Answer {
    /** The message is on the disks of a quorum. */
    record Stored(long position) implements Answer {}

    /** The subject's last message is not the expected one. Nothing was stored. */
    record Moved() implements Answer {}

    /**
     * Nothing was stored.
     *
     * @param lasting whether the same message would be refused again
     */
    record Refused(String reason, boolean lasting) implements Answer {}

    /** The subject's last message. */
    record Last(long position, byte[] octets) implements Answer {}

    /** The position of the stream's oldest message. */
    record Start(long position) implements Answer {}

    /** Nobody knows whether the message was or will be stored. */
    record Unknown(String reason) implements Answer {}
  }

  /** Stores a message if the subject's last message has the expected position. */
  public void publish(String subject, long expected, byte[] octets, Consumer<Answer> receiver) {
    if (octets.length + HEADERS > connection.getMaxPayload()) {
      receiver.accept(
          new Answer.Refused(
              "it has %d octets: raise max_payload of the NATS servers".formatted(octets.length),
              true));
      return;
    }
    Headers headers =
        new Headers().put(EXPECTED, Long.toString(expected)).put(EXPECTED_STREAM, stream);
    request(
        NatsMessage.builder().subject(subject).headers(headers).data(octets).build(),
        StreamClient::acknowledgement,
        receiver);
  }

  /** Finds the last message of a subject; the stream's leader answers. */
  public void last(String subject, Consumer<Answer> receiver) {
    byte[] query = "{\"last_by_subj\":\"%s\"}".formatted(subject).getBytes(StandardCharsets.UTF_8);
    request(
        NatsMessage.builder().subject("$JS.API.STREAM.MSG.GET." + stream).data(query).build(),
        this::lastMessage,
        receiver);
  }

  /** Asks the stream's leader where the stream begins. */
  public void start(Consumer<Answer> receiver) {
    request(
        NatsMessage.builder().subject("$JS.API.STREAM.INFO." + stream).build(),
        StreamClient::start,
        receiver);
  }

  @FunctionalInterface
  private interface Reading {
    Answer read(Message message) throws IOException, JetStreamApiException;
  }

  private void request(Message message, Reading reading, Consumer<Answer> receiver) {
    if (connection.getStatus() != Connection.Status.CONNECTED) {
      receiver.accept(new Answer.Refused("no connection to the NATS servers", false));
      return;
    }
    try {
      connection
          .requestWithTimeout(message, FORGET)
          .whenComplete((answer, thrown) -> receiver.accept(answer(reading, answer, thrown)));
    } catch (IllegalStateException e) {
      receiver.accept(new Answer.Unknown(reason(e)));
    }
  }

  private static Answer answer(
      Reading reading, @Nullable Message answer, @Nullable Throwable thrown) {
    if (thrown instanceof JetStreamStatusException status && status.getStatus().isNoResponders()) {
      return new Answer.Refused("the stream has no leader", false);
    }
    if (answer == null) {
      return new Answer.Unknown(thrown == null ? "no answer" : reason(thrown));
    }
    if (answer.isStatusMessage()) {
      return answer.getStatus().isNoResponders()
          ? new Answer.Refused("the stream has no leader", false)
          : new Answer.Unknown(answer.getStatus().getMessageWithCode());
    }
    try {
      return reading.read(answer);
    } catch (IOException | RuntimeException e) {
      return new Answer.Unknown(reason(e));
    } catch (JetStreamApiException e) {
      return switch (e.getApiErrorCode()) {
        case ApiCode.WRONG_LAST_SEQUENCE, ApiCode.WRONG_LAST_SEQUENCE_IN_FLIGHT ->
            new Answer.Moved();
        default -> new Answer.Refused(reason(e), e.getErrorCode() == 400);
      };
    }
  }

  private static Answer acknowledgement(Message answer) throws IOException, JetStreamApiException {
    return new Answer.Stored(new PublishAck(answer).getSeqno());
  }

  private static Answer start(Message answer) throws JetStreamApiException {
    StreamInfo info = new StreamInfo(answer);
    info.throwOnHasError();
    return new Answer.Start(info.getStreamState().getFirstSequence());
  }

  private Answer lastMessage(Message answer) throws JetStreamApiException {
    MessageInfo info = new MessageInfo(answer, stream, false);
    if (info.hasError()) {
      if (info.getApiErrorCode() == ApiCode.NO_MESSAGE) {
        return new Answer.Last(0, new byte[0]);
      }
      info.throwOnHasError();
    }
    byte[] octets = info.getData();
    return new Answer.Last(info.getSeq(), octets == null ? new byte[0] : octets);
  }

  private static String reason(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }
}
