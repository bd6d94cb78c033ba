package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.endpoints.EventBacklog.Changed;
import dev.vigil.gateway.endpoints.EventBacklog.Event;
import dev.vigil.gateway.endpoints.EventBacklog.Featured;
import dev.vigil.gateway.endpoints.EventBacklog.Missed;
import dev.vigil.gateway.streams.Backlog;
import dev.vigil.gateway.streams.ClientStream;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The events of one client: each changed endpoint, in the order of the feed, with its state when it
 * is sent. A client that has received an event has missed no change before the event's position, or
 * has received a "missed" event.
 */
final class EndpointEvents implements Backlog<Event> {
  /**
   * The maximum number of endpoints in the backlog; a client that falls further behind must read
   * the list again.
   */
  private static final int MAX_BACKLOG = 10_000;

  /** Data of the event "gone": the endpoint no longer exists. */
  record GoneJson(String id) {}

  /** Data of the event "missed": the client must read the list again. */
  record MissedJson() {}

  private final MirrorQueries mirror;
  private final EndpointNotes notes;
  private final MeshAddresses mesh;
  private final Predicate<@Nullable String> visible;
  private final EventBacklog backlog = new EventBacklog(MAX_BACKLOG);

  /** Events that arrive before the stream follows the feed; null afterwards. */
  private @Nullable List<Event> early = new ArrayList<>();

  /**
   * @param visible whether the client may currently look up a domain, or see events about no domain
   *     (null); called before each event is sent
   */
  EndpointEvents(
      MirrorQueries mirror,
      EndpointNotes notes,
      MeshAddresses mesh,
      Predicate<@Nullable String> visible) {
    this.mirror = mirror;
    this.notes = notes;
    this.mesh = mesh;
    this.visible = visible;
  }

  /**
   * Subscribes the stream of the client.
   *
   * @param after changes after this position are sent
   * @param missed whether the client asked for earlier changes, which are too many to send
   * @param sources of events that are not about endpoints
   */
  void follow(ClientStream<Event> stream, long after, boolean missed, List<EventSource> sources) {
    if (missed) {
      backlog.miss(after);
    }
    stream.follow(
        mirror.follow(
            after, change -> add(stream, new Changed(change.id(), change.d(), change.position()))));
    sources.forEach(
        source -> stream.follow(source.follow(after, one -> add(stream, new Featured(one)))));
    stream.change(this::addEarly);
  }

  private void add(ClientStream<Event> stream, Event event) {
    stream.change(
        () -> {
          if (early == null) {
            backlog.add(event);
          } else {
            early.add(event);
          }
        });
  }

  /** Each source repeats its own past; the client resumes after the last event it received. */
  private void addEarly() {
    List<Event> stored = early == null ? List.of() : early;
    early = null;
    stored.stream().sorted(Comparator.comparingLong(Event::position)).forEach(backlog::add);
  }

  @Override
  public boolean isEmpty() {
    return backlog.isEmpty();
  }

  @Override
  public @Nullable Event poll() {
    return backlog.poll();
  }

  @Override
  public void send(Event next, SseEmitter emitter) throws IOException {
    switch (next) {
      case Missed missed -> emitter.send(event("missed", missed, new MissedJson()));
      case Featured(FeatureEvent one) -> {
        if (visible.test(one.d())) {
          emitter.send(
              one.name().equals(EndpointNotes.EVENT) ? endpoint(one.id(), next) : event(one, next));
        }
      }
      case Changed change -> {
        if (visible.test(change.d())) {
          emitter.send(endpoint(change.id(), change));
        }
      }
    }
  }

  private SseEmitter.SseEventBuilder endpoint(String id, Event event) {
    EndpointView endpoint = mirror.endpoint(id).orElse(null);
    return endpoint == null
        ? event("gone", event, new GoneJson(id))
        : event(EndpointNotes.EVENT, event, EndpointJson.of(endpoint, mirror, notes, mesh));
  }

  private static SseEmitter.SseEventBuilder event(String name, Event event, Object data) {
    return SseEmitter.event()
        .name(name)
        .id(Long.toString(event.position()))
        .data(data, MediaType.APPLICATION_JSON);
  }

  /**
   * An event that is not in the feed has no id: the client keeps its last id and resumes from there
   * without a gap.
   */
  private SseEmitter.SseEventBuilder event(FeatureEvent one, Event event) {
    Object data = one.data(visible);
    return one.stored()
        ? event(one.name(), event, data)
        : SseEmitter.event().name(one.name()).data(data, MediaType.APPLICATION_JSON);
  }
}
