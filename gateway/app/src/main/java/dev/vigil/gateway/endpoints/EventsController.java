package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.endpoints.EventBacklog.Event;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.streams.ClientStream;
import dev.vigil.mirror.MirrorQueries;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Streams the changes of endpoints and of other features as server-sent events. */
@RestController
class EventsController {
  private static final long RECONNECT_MILLIS = 2000;

  /**
   * The maximum number of changes that a stream repeats; reading them takes a tenth of a second.
   */
  static final long MAX_REPLAY = 20_000;

  private final MirrorQueries mirror;
  private final Access access;
  private final List<EventSource> sources;
  private final EndpointNotes notes;
  private final MeshAddresses mesh;
  private final EndpointStreams streams;

  EventsController(
      MirrorQueries mirror,
      Access access,
      List<EventSource> sources,
      EndpointNotes notes,
      MeshAddresses mesh,
      EndpointStreams streams) {
    this.mirror = mirror;
    this.access = access;
    this.sources = List.copyOf(sources);
    this.notes = notes;
    this.mesh = mesh;
    this.streams = streams;
  }

  @Operation(
      operationId = "streamEvents",
      summary = "Server-sent events: endpoints, keys, alarms, the network and associations",
      description =
          "Events and their data: endpoint, an Endpoint that changed; gone, the id of an endpoint"
              + " that no longer exists; keys, all keys of one endpoint name; key-list, the"
              + " domain whose listed or revoked keys changed; alarm, an Alarm; radio, neighbour"
              + " and node, as in the answer of getNetwork; neighbour-gone and node-gone;"
              + " network, read it again; network-figures; association, a SecurityAssociation;"
              + " associations, read them again. Clients that may not look up a domain get no"
              + " events of it. The network belongs to the domain without a name; associations"
              + " are for operators of all domains. The id of an event is a position in the"
              + " feed; Last-Event-ID resumes after it. Events of the network and of"
              + " associations have no id: the previous id covers them. A client that resumes"
              + " too late or reads too slowly gets a \"missed\" event and must read its lists"
              + " again. Rights are decided again for each event. The stream ends with the"
              + " session or token of its request, and when the account's roles change.")
  @GetMapping(path = "/api/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter events(
      HttpServletRequest request,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
    Caller caller = HttpCallers.of(request);
    Set<String> domains = mirror.domains().keySet();
    VisibleDomains.of(access, caller, domains, null);
    long present = mirror.position();
    long after = last == null ? present : Math.min(present, position(last));
    boolean missed = present - after > MAX_REPLAY;
    long start = missed ? present : after;
    EndpointEvents events = new EndpointEvents(mirror, notes, mesh, d -> isVisible(caller, d));
    ClientStream<Event> stream =
        new ClientStream<>(events, HttpCallers.validity(request), Duration.ZERO);
    return streams.open(
        caller,
        stream,
        () -> events.follow(stream, start, missed, sources),
        // A client that disconnects before the first event can resume from this id.
        SseEmitter.event()
            .id(Long.toString(start))
            .reconnectTime(RECONNECT_MILLIS)
            .comment("vigil"));
  }

  /** Decided for each event: a domain may be closed while the stream is open. */
  private boolean isVisible(Caller caller, @Nullable String d) {
    Access.Decision decision =
        d == null
            ? access.decide(caller, Action.OPERATE, Access.EVERY_DOMAIN)
            : access.decide(caller, Action.LOOK_UP, d);
    return decision instanceof Allowed;
  }

  private static long position(String last) {
    try {
      return Math.max(0, Long.parseLong(last.strip()));
    } catch (NumberFormatException e) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST, "Last-Event-ID must be the id of an event");
    }
  }
}
