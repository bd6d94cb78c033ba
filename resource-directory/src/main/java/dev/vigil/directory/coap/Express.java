package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.MessageIdProvider;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The short way for what a gateway does all day: a mote's update, a registration, a reader's look
 * at a value, each a datagram that is answered by one. What Californium keeps of an exchange, for
 * all that could become of it, costs as much as the answer.
 *
 * <p>It takes only what {@link Brief} reads, and hands Californium the rest, untouched; an answer
 * that turns out late or long, too, together with the request. Repetitions are met here (RFC 7252
 * section 4.5): an answer is sent again, and one that is being made is waited for. Plain reads are
 * not remembered: they change nothing, and are answered again.
 */
final class Express {
  private static final Logger log = LoggerFactory.getLogger(Express.class);

  /** What became of a request that Californium has now. */
  private static final byte[] HANDED = {};

  private static final byte[] SILENCE = {};

  private final Connector connector;
  private final Desk desk;
  private final Workers workers;
  private final MessageIdProvider ids;

  /** Null while an answer is being made; what was sent. */
  private final Places<AtomicReference<byte @Nullable []>> recent;

  /** Requests that were heard and that no worker has begun with. */
  private final AtomicInteger waiting;

  Express(
      Connector connector,
      Desk desk,
      Workers workers,
      MessageIdProvider ids,
      Places<AtomicReference<byte @Nullable []>> recent,
      AtomicInteger waiting) {
    this.connector = connector;
    this.desk = desk;
    this.workers = workers;
    this.ids = ids;
    this.recent = recent;
    this.waiting = waiting;
  }

  /** One request on this way. */
  private final class Errand {
    final RawData datagram;
    final RawDataChannel californium;
    final Brief brief;
    final AtomicReference<byte @Nullable []> sent;
    final InetSocketAddress at;
    final Caller caller;

    Errand(
        RawData datagram,
        RawDataChannel californium,
        Brief brief,
        AtomicReference<byte @Nullable []> sent) {
      this.datagram = datagram;
      this.californium = californium;
      this.brief = brief;
      this.sent = sent;
      this.at = connector.getAddress();
      this.caller = desk.caller(at, datagram.getEndpointContext(), false, brief.echo());
    }

    Request request() {
      return brief.request(
          caller, desk.bases().ofSocket(CoAP.COAP_URI_SCHEME, at, caller.source().getAddress()));
    }

    void run(Request request) {
      CompletableFuture<Response> answer = desk.site().answer(request);
      if (answer.isDone()) {
        finish(answer.join());
        return;
      }
      answer.thenAccept(response -> workers.execute(() -> finish(response)));
      if (brief.confirmable()) {
        desk.lateAnswers().expect(answer, () -> hand(answer));
      }
    }

    void finish(Response answer) {
      try {
        Echo.Told told = desk.echo().told(caller, datagram.getSize(), answer);
        Reply reply = Reply.of(told.answer(), brief.tags());
        if (reply.payload().length > Reply.ONE_MESSAGE) {
          hand(CompletableFuture.completedFuture(answer));
        } else {
          send(written(reply, told.challenge()));
        }
      } catch (RuntimeException e) {
        log.error("could not answer {} /{}", brief.method(), String.join("/", brief.path()), e);
      }
    }

    private byte[] written(Reply reply, byte @Nullable [] challenge) {
      if (brief.isUnwanted(reply.code())) {
        return brief.confirmable() ? brief.acknowledgement() : SILENCE;
      }
      int ownId = brief.confirmable() ? 0 : ids.getNextMessageId(caller.source());
      return brief.answered(reply, challenge, ownId);
    }

    private void send(byte[] answer) {
      if (sent.compareAndSet(null, answer) && answer != SILENCE) {
        Express.this.send(answer, datagram.getEndpointContext());
      }
    }

    /** Californium acknowledges what is late, and sends what is long in blocks. */
    private void hand(CompletableFuture<Response> answer) {
      if (sent.compareAndSet(null, HANDED)) {
        californium.receiveData(
            RawData.inbound(
                datagram.getBytes(),
                new Handed(datagram.getEndpointContext(), answer),
                false,
                datagram.getReceiveNanoTimestamp(),
                datagram.getConnectorAddress()));
      }
    }
  }

  /**
   * Takes a datagram, on the thread that heard it.
   *
   * @param californium where it goes when it turns out to need more
   * @return false when it is none for this way
   */
  boolean takes(RawData datagram, RawDataChannel californium) {
    Brief brief = datagram.isMulticast() ? null : Brief.read(datagram.getBytes());
    if (brief == null || !isForHere(brief)) {
      return false;
    }
    AtomicReference<byte @Nullable []> sent = new AtomicReference<>();
    Errand errand = new Errand(datagram, californium, brief, sent);
    if (brief.method() == Method.GET) {
      errand.run(errand.request());
      return true;
    }
    InetSocketAddress peer = datagram.getInetSocketAddress();
    AtomicReference<byte @Nullable []> before = recent.claim(new KeyMID(brief.id(), peer), sent);
    if (before != null) {
      return isRepeated(brief, before.get(), datagram.getEndpointContext());
    }
    begin(errand);
    return true;
  }

  /** Values and what changes them; what may take long to find out has nothing to gain. */
  private static boolean isForHere(Brief brief) {
    List<String> path = brief.path();
    String first = path.isEmpty() ? "" : path.getFirst();
    return (first.equals("ms") || first.equals("rd"))
        && (brief.method() != Method.GET || brief.query().parameters().isEmpty());
  }

  private boolean isRepeated(Brief brief, byte @Nullable [] answer, EndpointContext context) {
    if (answer == HANDED) {
      return false;
    }
    if (answer != null && answer != SILENCE && brief.confirmable()) {
      send(answer, context);
    }
    return true;
  }

  /** On this thread, so that what an endpoint sends is carried out in the order it came. */
  private void begin(Errand errand) {
    Request request = errand.request();
    waiting.incrementAndGet();
    Runnable answering =
        () -> {
          waiting.decrementAndGet();
          errand.run(request);
        };
    try {
      if (!desk.inTurn(request, workers, answering)) {
        waiting.decrementAndGet();
        errand.finish(Desk.BUSY);
      }
    } catch (RejectedExecutionException e) {
      // The front has closed; whoever sent this asks again.
      waiting.decrementAndGet();
    }
  }

  private void send(byte[] answer, EndpointContext context) {
    connector.send(RawData.outbound(answer, context, null, false));
  }
}
