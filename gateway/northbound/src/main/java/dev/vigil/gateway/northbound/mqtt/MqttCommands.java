package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.gateway.northbound.mqtt.MqttTopics.Resource;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.command.CommandService;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Receives commands from a broker. Each must be a complete command signed by a commander. It is
 * handled like a command over CoAP or HTTP; its caller has only the identity of the broker.
 */
final class MqttCommands {
  /** The maximum number of commands in progress. */
  private static final int MAX_UNDER_WAY = 32;

  private final MqttTopics topics;
  private final Store store;
  private final RequestDispatcher dispatcher;
  private final Semaphore places = new Semaphore(MAX_UNDER_WAY);

  MqttCommands(MqttTopics topics, Store store, RequestDispatcher dispatcher) {
    this.topics = topics;
    this.store = store;
    this.dispatcher = dispatcher;
  }

  /**
   * Accepts a command without waiting for its outcome.
   *
   * @param answers receives the answer, on any thread
   * @return a future that completes after the answer, on any thread
   */
  CompletableFuture<?> receive(
      String topic, byte[] payload, Caller caller, Consumer<MqttMessage> answers) {
    CompletableFuture<?> done = CompletableFuture.completedFuture(null);
    Resource resource = topics.command(topic).orElse(null);
    if (resource == null || resource.endpoint().isReserved()) {
      return done;
    }
    String answerTopic;
    try {
      answerTopic = topics.answer(resource);
    } catch (ErrorResponseException e) {
      // A path longer than that of any resource has no answer topic.
      return done;
    }
    if (!places.tryAcquire()) {
      answers.accept(
          answer(
              answerTopic, 0, Code.SERVICE_UNAVAILABLE, "too many commands at a time; try again"));
      return done;
    }
    long seq = 0;
    try {
      Jws jws = Jws.parse(payload);
      seq = jws.header().seq();
      if (!CommandService.TYPE.equals(jws.header().typ())) {
        throw new ProblemException(
            ProblemType.INVALID_BODY,
            "only commands are accepted here: typ must be " + CommandService.TYPE);
      }
      long number = seq;
      return dispatcher
          .answer(request(resource, payload, caller))
          .thenAccept(response -> answers.accept(answer(answerTopic, number, response)))
          .whenComplete((_, _) -> places.release());
    } catch (SignedObjectException e) {
      places.release();
      answers.accept(answer(answerTopic, seq, Code.BAD_REQUEST, e.line()));
    } catch (ErrorResponseException e) {
      places.release();
      answers.accept(answer(answerTopic, seq, e.code(), e.diagnostic()));
    }
    return done;
  }

  private Request request(Resource resource, byte[] payload, Caller caller) {
    String id =
        store
            .endpoint(resource.endpoint())
            .map(Store.Endpoint::id)
            .orElseThrow(
                () -> new ProblemException(ProblemType.NOT_FOUND, "there is no such endpoint"));
    List<String> path = new ArrayList<>(List.of("ms", id));
    path.addAll(resource.segments());
    return new Request(
        Method.PUT,
        path,
        new Query(List.of()),
        ContentFormat.JOSE,
        payload,
        List.of(),
        true,
        caller);
  }

  private static MqttMessage answer(String topic, long seq, Response response) {
    String line =
        response.code().isSuccess() ? "" : new String(response.payload(), StandardCharsets.UTF_8);
    return answer(topic, seq, response.code(), line);
  }

  private static MqttMessage answer(String topic, long seq, Code code, String error) {
    JsonWriter json = new JsonWriter().open('{').member("code", code.dotted());
    if (seq > 0) {
      json.member("seq", seq);
    }
    if (!error.isEmpty()) {
      json.member("error", error);
    }
    return MqttMessage.json(topic, json.close('}').toOctets(), false);
  }
}
