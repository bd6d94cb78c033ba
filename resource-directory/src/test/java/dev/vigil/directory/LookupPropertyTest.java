package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.SubmitResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After random registrations, renewals, removals and expiries, lookups by index find the same links
 * as a plain walk over all registrations. The walk is implemented here from RFC 9176 section 6.2.
 */
class LookupPropertyTest {
  private static final List<String> RELATION_TYPES = List.of("rt", "if", "rel", "rev");

  /**
   * An endpoint of the model.
   *
   * @param parameters as an endpoint link shows them
   * @param forgotten the time from which it can no longer be changed
   */
  private record Known(
      String id,
      Map<String, String> parameters,
      String base,
      List<Link> links,
      long expires,
      long forgotten) {}

  private static final String OWN_BASE = "coap://rd.example.com";

  private final DirectoryFixture fixture = new DirectoryFixture();
  private final Map<String, Known> model = new LinkedHashMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 9176})
  void lookupsAgreeWithAPlainWalk(long seed) {
    Random random = new Random(seed);
    int answersWithLinks = 0;
    int steps = "1".equals(System.getenv("VIGIL_TEST_ALL")) ? 250 : 100;
    for (int step = 0; step < steps; step++) {
      change(random);
      if (step % 3 == 0) {
        fixture.directory.expire();
      }
      for (int i = 0; i < 4; i++) {
        answersWithLinks += compare(criteria(random)) ? 1 : 0;
      }
    }
    assertThat(answersWithLinks).as("queries that found something").isGreaterThan(steps / 2);
  }

  private void change(Random random) {
    fixture.advance(Duration.ofSeconds(random.nextInt(4)));
    int which = random.nextInt(10);
    List<Known> direct =
        model.values().stream()
            .filter(known -> !known.base().equals(OWN_BASE) && known.forgotten() > nowMillis())
            .toList();
    if (which == 0 && !direct.isEmpty()) {
      Known gone = pick(random, direct);
      Response response = fixture.ask("DELETE /rd/" + gone.id());
      assertThat(response.code()).isEqualTo(Code.DELETED);
      model.remove(gone.id());
    } else if (which == 1 && !direct.isEmpty()) {
      Known old = pick(random, direct);
      String base = pick(random, BASES);
      assertThat(fixture.ask("POST /rd/" + old.id() + "?lt=50&base=" + base).code())
          .isEqualTo(Code.CHANGED);
      Map<String, String> parameters = new LinkedHashMap<>(old.parameters());
      parameters.put("base", base);
      model.put(old.id(), known(old.id(), parameters, base, old.links(), 50));
    } else if (which == 2) {
      publish(random);
    } else {
      register(random);
    }
  }

  /** Publishes an endpoint; the expected links are rewritten here independently. */
  private void publish(Random random) {
    EndpointName name = new EndpointName("mote" + random.nextInt(5), "");
    List<Link> own = links(random);
    Registration registration =
        new Registration(new Registration.Published("JKT"), 40, own, List.of());
    Batch batch =
        new Batch(
            name,
            fixture.now,
            OptionalLong.empty(),
            OptionalLong.empty(),
            List.of(registration.toFact()));
    SubmitResult.Committed committed = (SubmitResult.Committed) fixture.store.submit(batch).join();
    String id = committed.change().id();
    List<Link> links = new ArrayList<>();
    own.forEach(link -> links.add(link.map(reference -> below(id, reference))));
    own.stream()
        .filter(link -> link.target().startsWith("/") && link.attribute("anchor").isEmpty())
        .map(link -> below(id, link.target()))
        .distinct()
        .forEach(
            target ->
                links.add(
                    LinkFormat.parse(
                            "</signers/JKT>;rel=\"describedby\";ct=65101;anchor=\"" + target + "\"",
                            LinkFormat.Limits.NONE)
                        .getFirst()));
    model.put(id, known(id, Map.of("ep", name.ep(), "base", OWN_BASE), OWN_BASE, links, 40));
  }

  private static String below(String id, String reference) {
    return reference.startsWith("/")
        ? "/served/" + id + NORMAL.getOrDefault(reference, reference)
        : reference;
  }

  private static final List<String> BASES =
      List.of("coap://h1", "coap://h1:61616", "coap://h2", "coaps://h2", "http://h3/p");

  private void register(Random random) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("ep", "node" + random.nextInt(30));
    if (random.nextBoolean()) {
      parameters.put("d", "s" + random.nextInt(3));
    }
    parameters.put("base", pick(random, BASES));
    if (random.nextBoolean()) {
      parameters.put("et", "type" + random.nextInt(4));
    }
    int lifetime = 1 + random.nextInt(100);
    StringBuilder line = new StringBuilder("POST /rd?lt=" + lifetime);
    parameters.forEach((name, value) -> line.append('&').append(name).append('=').append(value));
    List<Link> links = links(random);
    Response response = fixture.ask(line.toString(), LinkFormat.write(links));
    assertThat(response.code()).as(DirectoryFixture.text(response)).isEqualTo(Code.CREATED);
    String id = response.location().getLast();
    model.put(id, known(id, parameters, parameters.get("base") + "", links, lifetime));
  }

  /**
   * All registrants are strangers; the grace period of their entries is as long as their lifetime.
   */
  private Known known(
      String id, Map<String, String> parameters, String base, List<Link> links, int lifetime) {
    long expires = nowMillis() + 1000L * lifetime;
    return new Known(id, parameters, base, links, expires, expires + 1000L * lifetime);
  }

  private static List<Link> links(Random random) {
    List<Link> links = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      List<Link.Attribute> attributes = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        attributes.add(
            switch (random.nextInt(6)) {
              case 0 -> new Link.Attribute("rt", "a" + random.nextInt(3), false);
              case 1 ->
                  new Link.Attribute(
                      "if", "a" + random.nextInt(3) + " ab" + random.nextInt(3), true);
              case 2 -> new Link.Attribute("ct", "40 50", true);
              case 3 -> new Link.Attribute("obs", null, false);
              case 4 -> new Link.Attribute("anchor", target(random), true);
              default -> new Link.Attribute("ep", "node" + random.nextInt(30), false);
            });
      }
      links.add(new Link(target(random), attributes));
    }
    return links;
  }

  private static String target(Random random) {
    return pick(
        random,
        List.of("/t", "/t/1", "/t/./2", "/x/../t", "coap://h1/t", "coap://h9/y/./z", "/?q"));
  }

  private static List<String> criteria(Random random) {
    List<String> criteria = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      criteria.add(
          switch (random.nextInt(9)) {
            case 0 -> "ep=node" + random.nextInt(30);
            case 1 -> pick(random, List.of("ep=node1*", "ep=mote*", "ep=mote2", "rel=describedby"));
            case 2 -> "rt=" + pick(random, List.of("a1", "a*", "b", "core.rd-ep", "core*", "*"));
            case 3 -> "if=" + pick(random, List.of("a1", "ab*", "ab1", "a1 ab1", "a*"));
            case 4 -> "d=" + pick(random, List.of("s1", "s*", "*", "t"));
            case 5 -> pick(random, List.of("obs", "ct=40 50", "ct=40", "et=type1", "et=*", "zz=1"));
            case 6 ->
                "base="
                    + pick(
                        random,
                        List.of(
                            "coap://h1",
                            "coap://h1*",
                            "coap*",
                            "http://h3/p",
                            OWN_BASE,
                            "coap://rd*"));
            case 7 -> "anchor=" + uri(random);
            default ->
                "href="
                    + pick(
                        random,
                        List.of("/rd/1", "/rd/*", "coap://rd.example.com/rd/2", uri(random)));
          });
    }
    return criteria;
  }

  private static String uri(Random random) {
    return pick(
        random,
        List.of(
            OWN_BASE + "/served/" + random.nextInt(40) + "/t",
            OWN_BASE + "/served/" + random.nextInt(40) + "/t*",
            OWN_BASE + "/served/" + random.nextInt(4) + "*",
            OWN_BASE + "/ser*",
            OWN_BASE + "/signers/JKT",
            "coap://h1/t",
            "coap://h1/*",
            "coap://h1*",
            "coap://h*",
            "coap://h9/y/./z",
            "coap://h2/t/2",
            "http://h3/t*",
            "/t",
            "coap://h1/?q",
            "coap*",
            "coap://h2/t/*"));
  }

  private boolean compare(List<String> criteria) {
    List<String> endpoints = new ArrayList<>();
    List<String> resources = new ArrayList<>();
    for (Known known : model.values()) {
      if (known.expires() <= nowMillis()) {
        continue;
      }
      if (criteria.stream()
          .allMatch(
              c ->
                  endpointHas(known, c)
                      || known.links().stream().anyMatch(link -> linkHas(link, known.base(), c)))) {
        endpoints.add("/rd/" + known.id());
      }
      for (Link link : known.links()) {
        if (criteria.stream()
            .allMatch(c -> endpointHas(known, c) || linkHas(link, known.base(), c))) {
          resources.add(resolved(link, known.base()));
        }
      }
    }
    String query = criteria.isEmpty() ? "" : "?" + String.join("&", criteria);
    List<Link> foundEndpoints = parse(fixture.lookUp("/rd-lookup/ep" + query));
    List<Link> foundResources = parse(fixture.lookUp("/rd-lookup/res" + query));
    assertThat(foundEndpoints.stream().map(Link::target))
        .as(query)
        .containsExactlyInAnyOrderElementsOf(endpoints);
    assertThat(foundResources.stream().map(link -> LinkFormat.write(List.of(link))))
        .as(query)
        .containsExactlyInAnyOrderElementsOf(resources);
    comparePages(query, foundResources);
    return !resources.isEmpty();
  }

  private void comparePages(String query, List<Link> all) {
    List<Link> paged = new ArrayList<>();
    for (int page = 0; page * 7 <= all.size(); page++) {
      String separator = query.isEmpty() ? "?" : "&";
      paged.addAll(
          parse(fixture.lookUp("/rd-lookup/res" + query + separator + "count=7&page=" + page)));
    }
    assertThat(paged).isEqualTo(all);
  }

  private static boolean endpointHas(Known known, String criterion) {
    String name = name(criterion);
    String wanted = value(criterion);
    if (name.equals("rt")) {
      return has("core.rd-ep", wanted);
    }
    if (name.equals("href")) {
      return has("/rd/" + known.id(), wanted)
          || has("coap://rd.example.com/rd/" + known.id(), wanted);
    }
    String value = known.parameters().get(name);
    return value != null && has(value, wanted);
  }

  private static boolean linkHas(Link link, String base, String criterion) {
    String name = name(criterion);
    String wanted = value(criterion);
    if (name.equals("ep") || name.equals("d")) {
      // A link's attributes do not name its endpoint (section 7.1).
      return false;
    }
    if (name.equals("href")) {
      return has(resolve(base, link.target()), wanted);
    }
    for (Link.Attribute attribute : link.attributes()) {
      if (!attribute.name().equals(name)) {
        continue;
      }
      List<String> values =
          RELATION_TYPES.contains(name)
              ? Arrays.asList(attribute.text().split(" "))
              : List.of(name.equals("anchor") ? resolve(base, attribute.text()) : attribute.text());
      if (values.stream().anyMatch(v -> has(v, wanted))) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(String value, String wanted) {
    return wanted.endsWith("*")
        ? value.startsWith(wanted.substring(0, wanted.length() - 1))
        : value.equals(wanted);
  }

  private static String name(String criterion) {
    return criterion.split("=", 2)[0];
  }

  private static String value(String criterion) {
    return criterion.contains("=") ? criterion.split("=", 2)[1] : "";
  }

  /** The normal forms (RFC 3986) of the references above, worked out by hand. */
  private static final Map<String, String> NORMAL = Map.of("/t/./2", "/t/2", "/x/../t", "/t");

  private static String resolve(String base, String reference) {
    return reference.contains("://")
        ? reference
        : base.replace("/p", "") + NORMAL.getOrDefault(reference, reference);
  }

  private static String resolved(Link link, String base) {
    StringBuilder text = new StringBuilder();
    LinkFormat.append(text, link.map(reference -> resolve(base, reference)));
    return text.toString();
  }

  private static List<Link> parse(String document) {
    return LinkFormat.parse(document, LinkFormat.Limits.NONE);
  }

  private long nowMillis() {
    return fixture.now.toEpochMilli();
  }

  private static <T> T pick(Random random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
