package dev.vigil.gateway.streams;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.SmartLifecycle;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The open event streams of one kind. Sources share the places: a newcomer ends the newest stream
 * of the greediest source.
 */
public abstract class OpenStreams implements SmartLifecycle {
  private static final long RETRY_SECONDS = 10;

  private final Set<ClientStream<?>> streams = ConcurrentHashMap.newKeySet();
  private final FairPool<ClientStream<?>> places;
  private volatile boolean running;

  /**
   * @param most the maximum number of open streams
   * @param reserved how many of these places are reserved for authenticated clients
   */
  protected OpenStreams(int most, int reserved) {
    places =
        new FairPool<>(
            new FairPool.Bounds(most, 0, most - reserved),
            FairPool.Leaving.NEWEST,
            ClientStream::close);
  }

  /**
   * Opens a stream if it gets a place.
   *
   * @param follow subscribes the stream to its sources
   * @param hello the first event
   * @throws ProblemException when all places are taken
   */
  public SseEmitter open(
      Caller caller, ClientStream<?> stream, Runnable follow, SseEmitter.SseEventBuilder hello) {
    FairPool<ClientStream<?>>.Place place =
        running ? places.admit(Source.of(caller), stream) : null;
    if (place == null) {
      throw new ProblemException(
          ProblemType.OVERLOADED, "too many event streams are open", RETRY_SECONDS);
    }
    streams.add(stream);
    stream.onEnd(
        () -> {
          streams.remove(stream);
          place.release();
        });
    try {
      follow.run();
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    }
    return stream.start(hello);
  }

  @Override
  public void start() {
    running = true;
  }

  /** Stops before the web server, which would otherwise wait for the streams to end. */
  @Override
  public void stop() {
    running = false;
    streams.forEach(ClientStream::close);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
