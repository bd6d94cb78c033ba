package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.Response;
import java.util.List;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.observe.ObserveRelation;
import org.eclipse.californium.core.server.resources.ObservableResource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's interest in one request's answer (RFC 7641).
 *
 * <p>States: <em>begun</em> (its first answer is being made; it is told nothing yet), <em>told</em>
 * (of each answer that was begun after it had the first), <em>ended</em> (by the client, a reset,
 * an unanswered confirmable, an error answer, or the front's end; nothing leads out). Californium
 * tracks acknowledgements and resets, and holds back all but the newest notification while a
 * confirmable one is under way.
 */
final class Observation implements ObservableResource {
  private static final Logger log = LoggerFactory.getLogger(Observation.class);
  private static final int CONFIRMABLE_EVERY = 10;

  private final Exchange exchange;
  private final Question question;

  /** Whether the client's address was shown to be its own. */
  private final boolean verified;

  /** Whether the client said anything that makes its notifications others than its neighbours'. */
  private final boolean particular;

  /** A place before that of the first answer. */
  private final long begun;

  // Touched in the exchange's own order alone, but for the end.
  private long from = Long.MAX_VALUE;
  private int notifications;
  private @Nullable Response last;
  private @Nullable Runnable ending;
  private volatile boolean ended;

  /** To be made before the first answer is. */
  Observation(Exchange exchange, boolean verified, Question question) {
    this.exchange = exchange;
    this.verified = verified;
    this.question = question;
    this.begun = question.nextPlace();
    OptionSet options = exchange.getRequest().getOptions();
    this.particular = options.hasBlock2() || !options.getETags().isEmpty();
  }

  /** Before anybody else can end it. */
  void whenEnded(Runnable run) {
    ending = run;
  }

  /** The first answer is sent: from here on changes are told. */
  void answered(Response first) {
    last = Notice.remembered(first);
    from = question.admit(begun);
  }

  void tell(Notice notice) {
    exchange.execute(
        () -> {
          try {
            send(notice);
          } catch (RuntimeException e) {
            log.warn("could not notify {}", exchange.getRemoteSocketAddress(), e);
            end();
          }
        });
  }

  private void send(Notice notice) {
    if (ended || notice.place() < from || last != null && notice.saysTheSameAs(last)) {
      return;
    }
    last = notice.remembered();
    notifications++;
    var message = message(notice);
    boolean confirmable =
        notifications == 1 || notifications % CONFIRMABLE_EVERY == 0 || !message.isSuccess();
    message.setType(confirmable ? Type.CON : Type.NON);
    exchange.sendResponse(message);
  }

  private org.eclipse.californium.core.coap.Response message(Notice notice) {
    if (!verified && Echo.isLarge(exchange.getRequest().getMessageSize(), notice.answer())) {
      return Messages.response(
          Response.diagnostic(Code.UNAUTHORIZED, "observe again with Echo"), List.of());
    }
    return particular
        ? notice.messageFor(exchange.getRequest().getOptions().getETags())
        : notice.message();
  }

  void end() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    if (ending != null) {
      ending.run();
    }
    question.leave(this);
  }

  @Override
  public String getURI() {
    return exchange.getRequest().getURI();
  }

  @Override
  public Type getObserveType() {
    return Type.CON;
  }

  /** Of the first answer; notices have theirs. */
  @Override
  public int getNotificationSequenceNumber() {
    return question.firstNumber();
  }

  @Override
  public boolean isObservable() {
    return true;
  }

  @Override
  public void addObserveRelation(ObserveRelation relation) {
    // The watch began before the first answer was made.
  }

  @Override
  public void removeObserveRelation(ObserveRelation relation) {
    end();
  }

  @Override
  public int getObserverCount() {
    return ended ? 0 : 1;
  }
}
