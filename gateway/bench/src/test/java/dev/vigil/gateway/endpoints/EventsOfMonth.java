package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Access;
import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.calibrations.CalibratedEndpoints;
import dev.vigil.gateway.labels.LabelledEndpoints;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

/** The event stream of the simulated month: one client without credentials, over Spring MVC. */
public final class EventsOfMonth implements AutoCloseable {
  private static final long WAIT_MILLIS = 60_000;

  /** An event that the client gets once the stream has dealt with all earlier ones. */
  private static final String BARRIER = "barrier";

  /** Anybody may look this domain up, because it does not exist. */
  private static final String LOBBY = "lobby";

  private final EndpointStreams streams = new EndpointStreams();
  private final EventsController controller;
  private final LabelledEndpoints labelled;
  private final TaggedEndpoints tagged;
  private final CalibratedEndpoints calibrated;
  private final MirrorQueries mirror;
  private final List<Consumer<FeatureEvent>> followers = new CopyOnWriteArrayList<>();
  private final Client client = new Client();
  private int barriers;

  /**
   * @param name of the event
   * @param id position in the feed; -1: none
   */
  public record Event(String name, long id, String data) {}

  public EventsOfMonth(
      Store store, Records records, MirrorQueries mirror, Access access, MeshAddresses mesh) {
    this.mirror = mirror;
    this.labelled = new LabelledEndpoints(records, mirror, store);
    this.tagged = new TaggedEndpoints(records, mirror, store);
    this.calibrated = new CalibratedEndpoints(records, mirror, store);
    EndpointNotes notes = new EndpointNotes(labelled, tagged, calibrated, mirror);
    this.controller =
        new EventsController(mirror, access, List.of(notes, barriers()), notes, mesh, streams);
    streams.start();
  }

  private EventSource barriers() {
    return (after, follower) -> {
      followers.add(follower);
      return () -> followers.remove(follower);
    };
  }

  /**
   * The client connects.
   *
   * @param after the id of the last event that it knows; negative: none
   */
  public void connect(long after) throws Exception {
    Filter filter =
        (request, response, chain) ->
            chain.doFilter(request, client.reading((HttpServletResponse) response));
    MockMvc mvc = MockMvcBuilders.standaloneSetup(controller).addFilters(filter).build();
    MockHttpServletRequestBuilder request = MockMvcRequestBuilders.get("/api/events");
    mvc.perform(after < 0 ? request : request.header("Last-Event-ID", Long.toString(after)));
  }

  /** The events that came since the last call, up to the present position of the feed. */
  public List<Event> take() throws InterruptedException {
    String number = Integer.toString(++barriers);
    followers.forEach(
        follower ->
            follower.accept(
                new FeatureEvent(
                    BARRIER, number, LOBBY, mirror.position(), false, Map.of("number", number))));
    return client.takeUntil(number);
  }

  @Override
  public void close() {
    streams.stop();
    labelled.destroy();
    tagged.destroy();
    calibrated.destroy();
  }

  /** Reads the stream (WHATWG HTML, section 9.2) as it is written, on the stream's thread. */
  private static final class Client {
    private final List<Event> events = new ArrayList<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private String name = "";
    private String data = "";
    private long id = -1;

    HttpServletResponse reading(HttpServletResponse response) {
      ServletOutputStream out =
          new ServletOutputStream() {
            @Override
            public void write(int octet) {
              take(octet);
            }

            @Override
            public boolean isReady() {
              return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
              throw new IllegalStateException(
                  "the stream's thread writes, and waits for no listener");
            }
          };
      return new HttpServletResponseWrapper(response) {
        @Override
        public ServletOutputStream getOutputStream() {
          return out;
        }
      };
    }

    private synchronized void take(int octet) {
      if (octet != '\n') {
        line.write(octet);
        return;
      }
      String text = line.toString(StandardCharsets.UTF_8);
      line.reset();
      if (text.startsWith("event:")) {
        name = text.substring("event:".length());
      } else if (text.startsWith("id:")) {
        id = Long.parseLong(text.substring("id:".length()));
      } else if (text.startsWith("data:")) {
        data = text.substring("data:".length());
      } else if (text.isEmpty() && !name.isEmpty()) {
        events.add(new Event(name, id, data));
        name = "";
        data = "";
        id = -1;
        notifyAll();
      }
    }

    synchronized List<Event> takeUntil(String barrier) throws InterruptedException {
      long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
      while (events.stream().noneMatch(event -> isBarrier(event, barrier))) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw new IllegalStateException("the event stream has ended: " + events);
        }
        wait(left);
      }
      List<Event> taken = events.stream().filter(event -> !event.name().equals(BARRIER)).toList();
      events.clear();
      return taken;
    }

    private static boolean isBarrier(Event event, String number) {
      return event.name().equals(BARRIER) && event.data().contains("\"" + number + "\"");
    }
  }
}
