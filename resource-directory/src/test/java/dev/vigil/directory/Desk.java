package dev.vigil.directory;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A directory over a memory store and a clock that stands, asked the way the RFC writes it. */
final class Desk implements AutoCloseable {
  static final InetSocketAddress NODE = address("2001:db8:3::123", 61616);

  Instant now = Instant.parse("2026-11-20T12:00:00Z");
  final Topics topics = new Topics();
  final MemoryStore store;
  Access access = (caller, action, domain) -> new Access.Allowed();
  Directory directory;
  Caller caller = Caller.anonymous(NODE, true);
  Optional<Fetcher> fetcher = Optional.empty();

  Desk() {
    this(new MemoryStore());
  }

  Desk(MemoryStore store) {
    this.store = store;
    this.directory = create(DirectoryConfig.standard());
  }

  /** As after a restart: everything is folded from the store. */
  Directory open(DirectoryConfig config) {
    directory.close();
    directory = create(config);
    return directory;
  }

  private Directory create(DirectoryConfig config) {
    return new Directory(
        store,
        topics,
        (caller, action, domain) -> access.decide(caller, action, domain),
        config,
        clock(),
        List.of(),
        Optional.of(request -> fetcher.orElseThrow().wellKnownCore(request)));
  }

  Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneId.of("UTC");
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return now;
      }
    };
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  static InetSocketAddress address(String literal, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
  }

  /**
   * @param line for instance {@code GET /rd-lookup/res?rt=x&page=0}
   * @param payload link format, line breaks and indents of the RFC's examples removed
   */
  Response ask(String line, String payload) {
    return answer(request(line, payload, List.of()));
  }

  Response ask(String line) {
    return ask(line, "");
  }

  Response answer(Request request) {
    return new Site(directory.resources()).answer(request).join();
  }

  Request request(String line, String payload, List<ContentFormat> accept) {
    String[] parts = line.split("[ ?]", 3);
    List<Query.Parameter> parameters =
        parts.length < 3
            ? List.of()
            : Arrays.stream(parts[2].split("&")).map(Query.Parameter::parse).toList();
    byte[] body = unwrapped(payload).getBytes(StandardCharsets.UTF_8);
    return new Request(
        Method.valueOf(parts[0]),
        Arrays.asList(parts[1].substring(1).split("/")),
        new Query(parameters),
        body.length == 0 ? null : ContentFormat.LINK_FORMAT,
        body,
        accept,
        true,
        caller,
        "coap://rd.example.com");
  }

  /** The same as it comes over HTTP, where a source says nothing of where links lead. */
  Request overHttp(String line, String payload) {
    Request coap = request(line, payload, List.of());
    return new Request(
        coap.method(),
        coap.path(),
        coap.query(),
        coap.format(),
        coap.payload(),
        List.of(),
        true,
        coap.caller(),
        "http://localhost:8080");
  }

  /**
   * @return the last part of the location
   */
  String register(String query, String links) {
    Response response = ask("POST /rd?" + query, links);
    if (response.code() != Code.CREATED) {
      throw new AssertionError(response.code() + " " + text(response));
    }
    return response.location().getLast();
  }

  /** A change that comes from elsewhere: the mirror, another gateway. */
  Outcome submit(String ep, Fact fact) {
    return store
        .submit(
            new Batch(
                new EndpointName(ep, ""),
                now,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(fact)))
        .join();
  }

  /**
   * @param jkt thumbprint of the endpoint's key
   * @return the endpoint's id
   */
  String publishMirrored(String ep, String jkt, String links) {
    Registration registration =
        new Registration(
            new Registration.Mirrored(jkt),
            600,
            LinkFormat.parse(links, LinkFormat.Limits.STANDARD),
            List.of());
    return ((Outcome.Landed) submit(ep, registration.toFact())).change().id();
  }

  static String unwrapped(String document) {
    return document.replaceAll("\\n\\s*", "");
  }

  static String text(Response response) {
    return new String(response.payload(), StandardCharsets.UTF_8);
  }

  String lookUp(String pathAndQuery) {
    Response response = ask("GET " + pathAndQuery);
    if (!response.code().isSuccess()) {
      throw new AssertionError(response.code() + " " + text(response));
    }
    return text(response);
  }

  @Override
  public void close() {
    directory.close();
  }
}
