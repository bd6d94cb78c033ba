package dev.vigil.gateway.automations.actions;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Signs commands and passes them to the mirror like any other command. They are sent one at a time,
 * because the commands of an endpoint have rising numbers.
 */
final class CommandSender {
  /** Attempts while the queue of a sleeping endpoint is full, or others take the same number. */
  private static final int ATTEMPTS = 60;

  private static final Duration BETWEEN = Duration.ofSeconds(1);
  private static final long TIMEOUT_SECONDS = 30;

  private final CommanderKey key;
  private final Store store;
  private final MirrorQueries mirror;
  private final RequestDispatcher dispatcher;
  private final Pause pause;

  /** Held while a number is chosen and its command stored. */
  private final ReentrantLock lock = new ReentrantLock();

  CommandSender(
      CommanderKey key,
      Store store,
      MirrorQueries mirror,
      RequestDispatcher dispatcher,
      Pause pause) {
    this.key = key;
    this.store = store;
    this.mirror = mirror;
    this.dispatcher = dispatcher;
    this.pause = pause;
  }

  /** The result of sending a command. */
  sealed interface Sent {
    record Queued(long number) implements Sent {}

    record Refused(String reason) implements Sent {}

    /** The mirror has not answered in time; the command may be queued. */
    record Unanswered(long number) implements Sent {}
  }

  Sent send(EndpointName endpoint, String path, SenmlValue value, long expires, Caller caller)
      throws InterruptedException {
    String reason = "";
    for (int i = 0; i < ATTEMPTS; i++) {
      String id = store.endpoint(endpoint).map(Store.Endpoint::id).orElse("");
      lock.lockInterruptibly();
      try {
        long number = mirror.lastCommand(id) + 1;
        String jws = key.command(endpoint, path, number, expires, value);
        Response answer = answer(request(id, path, jws, caller));
        if (answer == null) {
          return new Sent.Unanswered(number);
        }
        if (answer.code().isSuccess()) {
          return new Sent.Queued(number);
        }
        reason = new String(answer.payload(), StandardCharsets.UTF_8);
        if (answer.code() != Code.SERVICE_UNAVAILABLE && answer.code() != Code.CONFLICT) {
          return new Sent.Refused(reason);
        }
      } finally {
        lock.unlock();
      }
      pause.of(BETWEEN);
    }
    return new Sent.Refused(reason);
  }

  /** Null if there was no answer in time. */
  private @Nullable Response answer(Request request) throws InterruptedException {
    try {
      return dispatcher.answer(request).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return null;
    }
  }

  private static Request request(String id, String path, String jws, Caller caller) {
    List<String> segments = new ArrayList<>(List.of("ms", id));
    segments.addAll(ResourcePaths.segments(path));
    return new Request(
        Method.PUT,
        segments,
        new Query(List.of()),
        ContentFormat.JOSE,
        jws.getBytes(StandardCharsets.US_ASCII),
        List.of(),
        true,
        caller);
  }
}
