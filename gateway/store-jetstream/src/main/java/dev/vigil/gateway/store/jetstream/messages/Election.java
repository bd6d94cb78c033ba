package dev.vigil.gateway.store.jetstream.messages;

import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Requests to servers that have just started, or about a stream that they have just made. Until the
 * servers have elected a leader they do not answer, and until they know each other they refuse to
 * make a stream. So the request is repeated, for at least ten seconds. A request must have the same
 * effect when it is repeated.
 */
public final class Election {
  private static final int QUESTIONS = 10;
  private static final long BETWEEN_MILLIS = 1000;

  private Election() {}

  /** A request that may be repeated. */
  @FunctionalInterface
  public interface Question<T> {
    T ask() throws IOException, JetStreamApiException, InterruptedException;
  }

  /**
   * @throws IOException when there was no answer to the last question either
   * @throws JetStreamApiException when the servers refuse
   */
  public static <T> T await(Question<T> question)
      throws IOException, JetStreamApiException, InterruptedException {
    for (int asked = 1; asked < QUESTIONS; asked++) {
      try {
        return question.ask();
      } catch (JetStreamApiException e) {
        if (e.getApiErrorCode() != ApiCode.NO_SUITABLE_SERVERS
            && e.getApiErrorCode() != ApiCode.TEMPORARILY_UNAVAILABLE) {
          throw e;
        }
      } catch (IOException e) {
        // There is no leader yet.
      }
      TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
    }
    return question.ask();
  }
}
