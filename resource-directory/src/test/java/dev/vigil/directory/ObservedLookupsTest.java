package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Topic;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An observer repeats its lookup when it is notified. Its last answer therefore equals a fresh one,
 * provided that a change notifies every affected observer.
 */
class ObservedLookupsTest {
  private static final List<String> LOOKUPS =
      List.of(
          "/rd-lookup/res",
          "/rd-lookup/ep",
          "/rd-lookup/res?rt=t1",
          "/rd-lookup/res?rt=t*",
          "/rd-lookup/ep?rt=t1&if=i2",
          "/rd-lookup/ep?rt=core.rd-ep&et=e1",
          "/rd-lookup/res?ep=n3",
          "/rd-lookup/ep?ep=n*",
          "/rd-lookup/ep?d=d1",
          "/rd-lookup/res?d=d0&rt=t2",
          "/rd-lookup/res?et=e0",
          "/rd-lookup/res?page=1&count=2",
          "/rd-lookup/ep?et=e1&page=0&count=1",
          "/rd-lookup/res?href=/rd/2",
          "/rd-lookup/ep?href=coap://rd.example.com/rd/1",
          "/rd-lookup/res?href=coap://b1.example/s0",
          "/rd-lookup/res?href=coap://rd.example.com/served*",
          "/rd-lookup/res?anchor=coap://b0.example/s1",
          "/rd-lookup/ep?base=coap://b1.example",
          "/rd-lookup/ep?base=coap://rd.example.com",
          "/rd-lookup/ep?obs",
          "/rd-lookup/res?nothing=there",
          "/.well-known/core",
          "/.well-known/core?rt=t1");

  private final DirectoryFixture fixture = new DirectoryFixture();
  private final List<Observer> observers = new ArrayList<>();

  /** Repeats its lookup after a notification, as the CoAP adapter does. */
  private final class Observer {
    final String lookup;
    Response last;
    boolean notified;
    int repeated;

    Observer(String lookup) {
      this.lookup = lookup;
      this.last = fixture.ask("GET " + lookup);
      fixture.topics.watch(Objects.requireNonNull(last.topic()), () -> notified = true);
    }

    void repeatIfNotified() {
      if (notified) {
        notified = false;
        repeated++;
        last = fixture.ask("GET " + lookup);
      }
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String links(Random random) {
    List<String> links = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      links.add(
          "</s%d>;rt=\"t%d t%d\";if=i%d%s%s"
              .formatted(
                  random.nextInt(3),
                  random.nextInt(4),
                  random.nextInt(4),
                  random.nextInt(3),
                  random.nextBoolean() ? ";obs" : "",
                  random.nextInt(3) == 0 ? ";anchor=\"/s1\"" : ""));
    }
    return String.join(",", links);
  }

  private void change(Random random) {
    int name = random.nextInt(6);
    switch (random.nextInt(8)) {
      case 0 -> fixture.ask("DELETE /rd/" + (1 + random.nextInt(6)));
      case 1 ->
          fixture.ask("POST /rd/%d?et=e%d".formatted(1 + random.nextInt(6), random.nextInt(3)));
      case 2 -> publish(random);
      case 3 -> {
        fixture.advance(Duration.ofSeconds(random.nextInt(20)));
        fixture.directory.expire();
      }
      default ->
          fixture.ask(
              "POST /rd?ep=n%d&d=d%d&lt=%d&base=coap://b%d.example&et=e%d"
                  .formatted(
                      name,
                      name % 2,
                      10 + random.nextInt(50),
                      random.nextInt(2),
                      random.nextInt(3)),
              links(random));
    }
  }

  private void publish(Random random) {
    Registration registration =
        new Registration(
            new Registration.Published("JKT"),
            40,
            LinkFormat.parse(links(random), LinkFormat.Limits.NONE),
            List.of());
    fixture
        .store
        .submit(
            new Batch(
                new EndpointName("mote" + random.nextInt(2), ""),
                fixture.now,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(registration.toFact())))
        .join();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 7641})
  void anObserversLastAnswerEqualsAFreshOne(long seed) {
    Random random = new Random(seed);
    LOOKUPS.forEach(lookup -> observers.add(new Observer(lookup)));
    int steps = "1".equals(System.getenv("VIGIL_TEST_ALL")) ? 400 : 100;
    for (int step = 0; step < steps; step++) {
      change(random);
      observers.forEach(Observer::repeatIfNotified);
      // Lookups hide an expired registration at once; observers are notified by expire().
      fixture.directory.expire();
      observers.forEach(Observer::repeatIfNotified);
      for (Observer observer : observers) {
        Response fresh = fixture.ask("GET " + observer.lookup);
        assertThat(DirectoryFixture.text(observer.last))
            .as("step %d: %s", step, observer.lookup)
            .isEqualTo(DirectoryFixture.text(fresh));
      }
    }
    Observer everything = observers.getFirst();
    assertThat(everything.repeated).isGreaterThan(steps / 2);
    for (Observer narrow : observers) {
      if (narrow.lookup.contains("ep=n3") || narrow.lookup.contains("nothing")) {
        assertThat(narrow.repeated).as(narrow.lookup).isLessThan(everything.repeated / 3);
      }
    }
  }

  @Test
  void aChangeNotifiesOnlyObserversItMayAffect() {
    Observer mine = new Observer("/rd-lookup/res?ep=mine&rt=t");
    Observer others = new Observer("/rd-lookup/res?ep=others&rt=t");
    Observer otherType = new Observer("/rd-lookup/res?ep=mine&rt=u");
    Observer core = new Observer("/.well-known/core");
    fixture.ask("POST /rd?ep=mine", "</a>;rt=t");
    assertThat(mine.notified).isTrue();
    assertThat(others.notified || otherType.notified || core.notified).isFalse();
  }

  @Test
  void observesASingleRegistration() {
    fixture.ask("POST /rd?ep=a", "</a>");
    fixture.ask("POST /rd?ep=b", "</b>");
    Observer first = new Observer("/rd/1");
    fixture.ask("POST /rd?ep=b", "</c>");
    assertThat(first.notified).isFalse();
    fixture.ask("POST /rd?ep=a", "</d>");
    assertThat(first.notified).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rd-lookup/ep?ep=x%d*",
        "/rd-lookup/res?rt=t1&ep=x%d*",
        "/rd-lookup/res?page=%d&count=1",
        "/rd-lookup/res?rt=t1&page=%d&count=1",
        "/rd-lookup/ep?et=\0%d",
        "/.well-known/core?rt=t%d"
      })
  void limitsObservedLookupsThatOneChangeAffects(String lookup) {
    int watched = 0;
    for (int i = 0; i < 1_000; i++) {
      Topic topic = fixture.ask("GET " + lookup.formatted(i)).topic();
      if (topic != null) {
        watched++;
        fixture.topics.watch(topic, new AtomicInteger()::incrementAndGet);
      }
    }
    assertThat(watched).isEqualTo(256);
    for (String other : List.of("/rd-lookup/res", "/rd-lookup/ep?ep=n1", "/rd-lookup/res?rt=t9")) {
      assertThat(fixture.ask("GET " + other).topic()).as(other).isNotNull();
    }
  }

  @Test
  void aLookupThatIsAlreadyObservedIsAlwaysObservable() {
    for (int i = 0; i < 256; i++) {
      Response answer = fixture.ask("GET /rd-lookup/ep?ep=x%d*".formatted(i));
      fixture.topics.watch(
          Objects.requireNonNull(answer.topic()), new AtomicInteger()::incrementAndGet);
    }
    assertThat(fixture.ask("GET /rd-lookup/ep?ep=x7*").topic()).isNotNull();
    assertThat(fixture.ask("GET /rd-lookup/ep?ep=another*").topic()).isNull();
  }
}
