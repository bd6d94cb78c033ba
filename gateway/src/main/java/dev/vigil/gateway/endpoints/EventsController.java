package dev.vigil.gateway.endpoints;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.access.Visible;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.MirrorProxy;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Streams every change of an endpoint as a server-sent event. */
@RestController
class EventsController implements SmartLifecycle {
  private static final int AT_ONCE = 256;

  /** What strangers leave free for those who say who they are. */
  private static final int KEPT = 64;

  private static final long RETRY_SECONDS = 10;
  private static final long NO_TIMEOUT = 0;

  /** Changes that a stream goes back at the most: reading them takes a tenth of a second. */
  static final long BACK = 20_000;

  private final MirrorProxy mirror;
  private final Access access;
  private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean running;

  EventsController(MirrorProxy mirror, Access access) {
    this.mirror = mirror;
    this.access = access;
  }

  @Operation(
      summary = "Server-sent events: each \"endpoint\" event carries one endpoint that changed",
      description =
          "Its value, trust or commands changed; a \"gone\" event carries the id of one that is"
              + " forgotten. The id of an event is a place in the feed; Last-Event-ID resumes after"
              + " it; whoever comes back too late, or reads too slowly, hears a \"missed\" event and"
              + " reads the list again.")
  @GetMapping(path = "/api/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter events(
      HttpServletRequest request,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
    Caller caller = HttpCallers.of(request);
    Set<String> domains = mirror.domains().keySet();
    Visible visible = Visible.of(access, caller, domains, null);
    boolean stranger = caller.identity() instanceof Caller.Anonymous;
    if (!running || streams.size() >= (stranger ? AT_ONCE - KEPT : AT_ONCE)) {
      throw new ExchangeException(
          Code.SERVICE_UNAVAILABLE, "too many event streams are open", RETRY_SECONDS);
    }
    long present = mirror.position();
    long after = last == null ? present : Math.min(present, position(last));
    boolean missed = present - after > BACK;
    SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
    EventStream stream = new EventStream(emitter, mirror, visible, streams::remove);
    streams.add(stream);
    emitter.onCompletion(stream::close);
    emitter.onError(gone -> stream.close());
    try {
      stream.follow(missed ? present : after, missed);
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    }
    Thread.ofVirtual().name("events").start(stream);
    return emitter;
  }

  private static long position(String last) {
    try {
      return Math.max(0, Long.parseLong(last.strip()));
    } catch (NumberFormatException e) {
      throw new ExchangeException(Code.BAD_REQUEST, "Last-Event-ID is the id of an event");
    }
  }

  @Override
  public void start() {
    running = true;
  }

  /** First of all, or the web server would wait for streams that never end. */
  @Override
  public void stop() {
    running = false;
    streams.forEach(EventStream::close);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
