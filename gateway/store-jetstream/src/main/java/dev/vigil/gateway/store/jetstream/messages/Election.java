package dev.vigil.gateway.store.jetstream.messages;

import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Questions at a start, perhaps while the servers start too. Until they have elected a leader they
 * do not answer, and until they know each other they refuse to make a stream. So the question is
 * asked again, for at least ten seconds.
 */
public final class Election {
  private static final int QUESTIONS = 10;
  private static final long BETWEEN_MILLIS = 1000;

  private Election() {}

  /** A question that may be asked several times. */
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
        if (e.getApiErrorCode() != ApiCode.NO_SUITABLE_SERVERS) {
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
