package dev.vigil.directory;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.SubmitResult;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** A directory over a memory store and a stopped clock, with requests in the RFC's notation. */
final class DirectoryFixture implements AutoCloseable {
  static final PublishedLocation PUBLISHED =
      new PublishedLocation("", "/served", "/signers", ContentFormat.JWK);
  static final DirectoryConfig CONFIG = DirectoryConfig.standard(PUBLISHED);
  static final InetSocketAddress NODE = address("2001:db8:3::123", 61616);

  Instant now = Instant.parse("2026-11-20T12:00:00Z");
  final Topics topics = new Topics();
  final MemoryStore store;
  Access access = (caller, action, domain) -> new Access.Allowed();
  Directory directory;
  Caller caller = Caller.anonymous(NODE, true);
  Optional<LinkFetcher> fetcher = Optional.empty();

  DirectoryFixture() {
    this(new MemoryStore());
  }

  DirectoryFixture(MemoryStore store) {
    this.store = store;
    this.directory = create(CONFIG);
  }

  /** Starts a new directory, which folds the whole feed of the store. */
  Directory reopen(DirectoryConfig config) {
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
        new LinkSources(
            List.of(), Optional.of(request -> fetcher.orElseThrow().wellKnownCore(request))));
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

  void advance(Duration time) {
    now = now.plus(time);
  }

  static InetSocketAddress address(String literal, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
  }

  /**
   * @param line for instance {@code GET /rd-lookup/res?rt=x&page=0}
   * @param payload link format; line breaks and indents of the RFC's examples are removed
   */
  Response ask(String line, String payload) {
    return answer(request(line, payload, List.of()));
  }

  Response ask(String line) {
    return ask(line, "");
  }

  /** Watches the topic of a lookup's answer. */
  void watch(String pathAndQuery, Runnable watcher) {
    topics.watch(Objects.requireNonNull(ask("GET " + pathAndQuery).topic()), watcher);
  }

  Response answer(Request request) {
    return new RequestDispatcher(directory.routes()).answer(request).join();
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

  /** The same request over HTTP, whose source address cannot be a base for links. */
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
   * @return the id in the location
   */
  String register(String query, String links) {
    Response response = ask("POST /rd?" + query, links);
    if (response.code() != Code.CREATED) {
      throw new AssertionError(response.code() + " " + text(response));
    }
    return response.location().getLast();
  }

  /** A change by another writer, such as another service or another gateway. */
  SubmitResult submit(String ep, Fact fact) {
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
   * Another client removes an entry and a third one registers its name, both at another gateway.
   */
  void replace(String ep) {
    Registration fresh =
        new Registration(new Registration.Direct("coap://fresh"), 600, List.of(), List.of());
    for (Fact fact : List.of(Fact.none(Registration.SLOT), fresh.toFact())) {
      store.submit(
          new Batch(
              new EndpointName(ep, ""),
              now,
              OptionalLong.empty(),
              OptionalLong.empty(),
              List.of(fact)));
    }
  }

  /**
   * @param jkt thumbprint of the endpoint's key
   * @return the endpoint's id
   */
  String publish(String ep, String jkt, String links) {
    Registration registration =
        new Registration(
            new Registration.Published(jkt),
            600,
            LinkFormat.parse(links, LinkFormat.Limits.STANDARD),
            List.of());
    return ((SubmitResult.Committed) submit(ep, registration.toFact())).change().id();
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
