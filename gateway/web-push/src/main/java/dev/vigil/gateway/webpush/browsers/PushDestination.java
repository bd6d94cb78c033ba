package dev.vigil.gateway.webpush.browsers;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.AlarmSeverity;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.webpush.BrowserKeys;
import dev.vigil.gateway.webpush.PushService;
import dev.vigil.store.Change;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers alarms to subscribed browsers. If some services fail, their messages are dropped, so
 * that they do not delay the others. If all services fail, the messages are retried until the alarm
 * is five minutes old. After that they are given up, so that one browser cannot block the alarms of
 * other domains. The last ones given up are tried every minute: the next alarm, which would show
 * that the services work again, may be days away.
 */
final class PushDestination implements Destination {
  private static final Logger log = LoggerFactory.getLogger(PushDestination.class);

  /** The age at which the messages about an alarm are given up. */
  static final Duration TRIED = Duration.ofMinutes(5);

  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** Messages that are sent at the same time. */
  private static final int MAX_CONCURRENT = 32;

  /** The longest topic (RFC 8030 section 5.4). */
  private static final int MAX_TOPIC = 32;

  private final Browsers browsers;
  private final PushService service;
  private final AlarmNotices alarms;
  private final AlarmSeverity lowest;
  private final Access access;
  private final Clock clock;
  private final Semaphore sending = new Semaphore(MAX_CONCURRENT);
  private final AtomicLong refused = new AtomicLong();
  private volatile boolean closed;

  /** The last alarm that was given up; null once a service has answered. Used by one thread. */
  private @Nullable GivenUp givenUp;

  private record GivenUp(Change change, IOException failure, Instant triedAt) {}

  PushDestination(
      Browsers browsers,
      PushService service,
      AlarmNotices alarms,
      AlarmSeverity lowest,
      Access access,
      Clock clock) {
    this.browsers = browsers;
    this.service = service;
    this.alarms = alarms;
    this.lowest = lowest;
    this.access = access;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "web-push";
  }

  /** Never, because old alarms are not news. */
  @Override
  public boolean replay() {
    return false;
  }

  @Override
  public boolean concerns(Change change) {
    return alarms.concerns(change);
  }

  /** Only the newest state of an alarm matters, so a superseded state is not a gap. */
  @Override
  public int readings(Change change) {
    return 0;
  }

  /** Tries the last alarm that was given up; true once a service has answered. */
  @Override
  public boolean connect() throws InterruptedException {
    GivenUp last = givenUp;
    if (last == null || isWithin(PAUSE, last.triedAt())) {
      return false;
    }
    try {
      sendAll(messages(last.change()));
      givenUp = null;
      return true;
    } catch (IOException e) {
      givenUp = new GivenUp(last.change(), e, clock.instant());
      return false;
    }
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException {
    if (closed) {
      throw new IOException("the gateway is stopping");
    }
    for (Change change : changes) {
      List<Callable<PushService.Answer>> messages = messages(change);
      try {
        sendAll(messages);
        givenUp = messages.isEmpty() ? givenUp : null;
      } catch (IOException e) {
        if (closed || isWithin(TRIED, change.at())) {
          throw e;
        }
        givenUp = new GivenUp(change, e, clock.instant());
        refused.addAndGet(messages.size());
        log.warn(
            "{}: no push service took the {} messages about an alarm within {} min; they are left"
                + " out: {}",
            name(),
            messages.size(),
            TRIED.toMinutes(),
            e.getMessage());
      }
      delivered.accept(change);
    }
    // Giving up is no success: it would clear the alarm about this destination.
    if (givenUp != null) {
      throw givenUp.failure();
    }
  }

  private List<Callable<PushService.Answer>> messages(Change change) {
    List<Callable<PushService.Answer>> messages = new ArrayList<>();
    for (AlarmNotice notice : alarms.of(change)) {
      if (lowest.includes(notice) && !"acknowledged".equals(notice.state())) {
        browsers.all().stream()
            .filter(browser -> maySee(browser.value(), notice.d()))
            .forEach(browser -> messages.add(() -> send(browser, notice)));
      }
    }
    return messages;
  }

  /** Whether less than a time has passed; false after the clock was set back by more. */
  private boolean isWithin(Duration time, Instant since) {
    return Duration.between(since, clock.instant()).abs().compareTo(time) < 0;
  }

  /** Alarms of a domain: its readers. Alarms of the gateway itself: its operators. */
  private boolean maySee(BrowserRecord browser, @Nullable String d) {
    Grants grants = browsers.grants(browser).orElse(Grants.NONE);
    Caller caller =
        new Caller(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            true,
            true,
            new Caller.Account(browser.account(), grants.texts()));
    return (d == null
            ? access.decide(caller, Action.OPERATE, Access.EVERY_DOMAIN)
            : access.decide(caller, Action.LOOK_UP, d))
        instanceof Allowed;
  }

  private PushService.Answer send(Versioned<BrowserRecord> browser, AlarmNotice notice)
      throws IOException, InterruptedException {
    PushText text = PushText.of(notice, browser.value().language());
    return send(browser, text, !"cleared".equals(notice.state()));
  }

  /** Sends a message, and forgets a browser that the service does not know any more. */
  PushService.Answer send(Versioned<BrowserRecord> browser, PushText text, boolean urgent)
      throws IOException, InterruptedException {
    BrowserRecord one = browser.value();
    sending.acquire();
    PushService.Answer answer;
    try {
      answer = attempt(one, text, urgent);
    } finally {
      sending.release();
    }
    switch (answer.outcome()) {
      case SENT -> {}
      case GONE ->
          browsers.remove(
              browser,
              new Audit(
                  "gateway",
                  "unsubscribed a browser of "
                      + one.account()
                      + " that its push service does not know",
                  ""));
      case REFUSED -> refused.incrementAndGet();
    }
    return answer;
  }

  /**
   * Tries twice, because a service may end a connection that the first attempt uses again. A
   * message that arrives twice replaces itself.
   */
  private PushService.Answer attempt(BrowserRecord one, PushText text, boolean urgent)
      throws IOException, InterruptedException {
    URI address = URI.create(one.address());
    BrowserKeys keys = BrowserKeys.of(one.p256dh(), one.auth());
    String topic = Browsers.idOf(text.tag()).substring(0, MAX_TOPIC);
    try {
      return service.send(address, keys, text.json(), topic, urgent);
    } catch (IOException e) {
      return service.send(address, keys, text.json(), topic, urgent);
    }
  }

  /**
   * @throws IOException if messages failed and no service answered any
   */
  private void sendAll(List<Callable<PushService.Answer>> messages)
      throws IOException, InterruptedException {
    IOException failure = null;
    int answered = 0;
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("web-push").factory())) {
      for (Future<PushService.Answer> one : threads.invokeAll(messages)) {
        try {
          one.get();
          answered++;
        } catch (ExecutionException e) {
          failure =
              e.getCause() instanceof IOException cause
                  ? cause
                  : new IOException("a message could not be sent", e.getCause());
        }
      }
    }
    if (failure != null && answered == 0) {
      throw failure;
    }
  }

  /** Does nothing, because receivers of alarms receive no readings. */
  @Override
  public void reportLost(long number) {}

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    closed = true;
    service.close();
  }
}
