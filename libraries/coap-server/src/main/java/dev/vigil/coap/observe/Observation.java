package dev.vigil.coap.observe;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.log.RateLimitedLog;
import dev.vigil.coap.message.CaliforniumMessages;
import java.time.Clock;
import java.util.List;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.observe.ObserveRelation;
import org.eclipse.californium.core.server.resources.ObservableResource;
import org.jspecify.annotations.Nullable;

/**
 * One client's observation of a request (RFC 7641).
 *
 * <p>States:
 *
 * <ul>
 *   <li><em>begun</em>: the first response is pending; no notification is sent. {@link
 *       #firstResponseSent} leads to
 *   <li><em>notified</em>: each response that was computed after the first response was sent
 *       becomes a notification, unless it equals the last one.
 *   <li><em>ended</em>, from either state: the client cancelled or sent a reset, did not
 *       acknowledge a confirmable notification, got an error response, or the server closed (RFC
 *       7641 sections 3.6, 4.2 and 4.5). No event leads out.
 * </ul>
 *
 * <p>Californium matches acknowledgements and resets, and holds back all but the newest
 * notification while a confirmable one is unacknowledged.
 */
public final class Observation implements ObservableResource {
  private static final RateLimitedLog log = RateLimitedLog.of(Observation.class);

  /**
   * Confirmable notifications find out whether the client is still there (RFC 7641 section 4.5).
   */
  private static final int CONFIRMABLE_EVERY = 10;

  private static final Response DISPLACED =
      Response.diagnostic(Code.SERVICE_UNAVAILABLE, "too many observations from this network")
          .withMaxAge(60);

  private final Exchange exchange;
  private final Caller caller;
  private final ObservedRequest observed;
  private final Clock clock;

  /** Whether the client's request has options that change its notifications. */
  private final boolean ownContent;

  /** The position at which the observation began, before the first response was computed. */
  private final long begun;

  /**
   * Differs between consecutive observers, so that they do not all acknowledge the same
   * notification. Ten thousand acknowledgements at once overflow the receive buffer.
   */
  private final int confirmableOffset;

  // Used in the exchange's executor only.
  private long notifyFrom = Long.MAX_VALUE;
  private int notifications;
  private @Nullable Response last;

  /** Whether the next response is sent as a confirmable notification even if it is unchanged. */
  private volatile boolean probeDue;

  /**
   * Unix time in milliseconds. The first response also counts, because its request has just
   * arrived.
   */
  private volatile long confirmableSentAt;

  private @Nullable Runnable onEnd;

  /** Written under this object's lock. */
  private volatile boolean ended;

  /**
   * Begins an observation; must be called before the first response is computed.
   *
   * @param exchange of a client with a verified address, because notifications may be larger than
   *     the request and confirmable ones are repeated
   * @param caller the client
   */
  public Observation(Exchange exchange, Caller caller, ObservedRequest observed, Clock clock) {
    this.exchange = exchange;
    this.caller = caller;
    this.observed = observed;
    this.clock = clock;
    this.confirmableSentAt = clock.millis();
    this.begun = observed.nextPosition();
    // An observer takes two positions: this one and the one at which it is admitted.
    this.confirmableOffset = (int) (begun / 2 % CONFIRMABLE_EVERY);
    OptionSet options = exchange.getRequest().getOptions();
    this.ownContent = options.hasBlock2() || !options.getETags().isEmpty();
  }

  Caller caller() {
    return caller;
  }

  /**
   * Sets the task to run at the end; must be called before another thread can end the observation.
   */
  public void onEnd(Runnable task) {
    onEnd = task;
  }

  /** Records that the client has its first response; it is notified from now on. */
  public void firstResponseSent(Response first) {
    last = NotificationTemplate.summary(first);
    notifyFrom = observed.admit(begun);
  }

  void notifyClient(NotificationTemplate template) {
    exchange.execute(
        () -> {
          try {
            send(template);
          } catch (RuntimeException e) {
            log.warn("cannot notify observer {}", exchange.getRemoteSocketAddress(), e);
            end();
          }
        });
  }

  private void send(NotificationTemplate template) {
    boolean same = last != null && template.isSameAs(last);
    if (ended || template.position() < notifyFrom || same && !probeDue) {
      return;
    }
    last = template.summary();
    notifications++;
    var message = message(template);
    boolean confirmable =
        notifications == 1
            || (notifications + confirmableOffset) % CONFIRMABLE_EVERY == 0
            || !message.isSuccess()
            || probeDue;
    message.setType(confirmable ? Type.CON : Type.NON);
    if (confirmable) {
      probeDue = false;
      confirmableSentAt = clock.millis();
    }
    exchange.sendResponse(message);
  }

  private org.eclipse.californium.core.coap.Response message(NotificationTemplate template) {
    return ownContent
        ? template.message(exchange.getRequest().getOptions().getETags())
        : template.message();
  }

  /** The time of the last confirmable notification, unix time in milliseconds. */
  public long confirmableSentAt() {
    return confirmableSentAt;
  }

  /**
   * Asks the client to confirm that it is still there (RFC 7641 section 4.5): sends it the present
   * response as a confirmable notification.
   */
  public void probe() {
    probeDue = true;
    observed.run();
  }

  /**
   * Ends the observation in favour of a client with fewer observations; an error notification
   * reports this.
   */
  public void displace() {
    exchange.execute(
        () -> {
          if (!ended && exchange.getRelation() != null) {
            var message = CaliforniumMessages.response(DISPLACED, List.of());
            message.setType(Type.CON);
            exchange.sendResponse(message);
            // Californium cancels the relation when it sends the notification, which waits for an
            // unacknowledged one.
            leave();
          } else {
            end();
          }
        });
  }

  public boolean isEnded() {
    return ended;
  }

  /** Ends the observation and Californium's relation. Any thread may call this. */
  public void end() {
    leave();
    ObserveRelation relation = exchange.getRelation();
    if (relation != null) {
      relation.cancel();
    }
  }

  /** Gives up the place and the topic. */
  private void leave() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    if (onEnd != null) {
      onEnd.run();
    }
    observed.remove(this);
  }

  @Override
  public String getURI() {
    return exchange.getRequest().getURI();
  }

  @Override
  public Type getObserveType() {
    return Type.CON;
  }

  /** The sequence number of the first response; a {@link NotificationTemplate} has its own. */
  @Override
  public int getNotificationSequenceNumber() {
    return observed.firstSequenceNumber();
  }

  @Override
  public boolean isObservable() {
    return true;
  }

  @Override
  public void addObserveRelation(ObserveRelation relation) {
    // The topic has been watched since before the first response was computed.
  }

  @Override
  public void removeObserveRelation(ObserveRelation relation) {
    leave();
  }

  @Override
  public int getObserverCount() {
    return ended ? 0 : 1;
  }
}
