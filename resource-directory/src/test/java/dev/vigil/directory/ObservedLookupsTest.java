package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Topic;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.EndpointName;
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
 * An observer asks again when it is told; so what it heard last is what a fresh question would be
 * answered, if everyone whom a change has to do with is told.
 */
class ObservedLookupsTest {
  private static final List<String> QUESTIONS =
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
          "/rd-lookup/res?href=coap://rd.example.com/ms*",
          "/rd-lookup/res?anchor=coap://b0.example/s1",
          "/rd-lookup/ep?base=coap://b1.example",
          "/rd-lookup/ep?base=coap://rd.example.com",
          "/rd-lookup/ep?obs",
          "/rd-lookup/res?nothing=there",
          "/.well-known/core",
          "/.well-known/core?rt=t1");

  private final Desk desk = new Desk();
  private final List<Observer> observers = new ArrayList<>();

  /** Like a client's interest over CoAP: told of a change it asks again. */
  private final class Observer {
    final String question;
    Response last;
    boolean told;
    int asked;

    Observer(String question) {
      this.question = question;
      this.last = desk.ask("GET " + question);
      desk.topics.watch(Objects.requireNonNull(last.topic()), () -> told = true);
    }

    void hear() {
      if (told) {
        told = false;
        asked++;
        last = desk.ask("GET " + question);
      }
    }
  }

  @AfterEach
  void close() {
    desk.close();
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
      case 0 -> desk.ask("DELETE /rd/" + (1 + random.nextInt(6)));
      case 1 -> desk.ask("POST /rd/%d?et=e%d".formatted(1 + random.nextInt(6), random.nextInt(3)));
      case 2 -> mirror(random);
      case 3 -> {
        desk.pass(Duration.ofSeconds(random.nextInt(20)));
        desk.directory.pass();
      }
      default ->
          desk.ask(
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

  private void mirror(Random random) {
    Registration registration =
        new Registration(
            new Registration.Mirrored("JKT"),
            40,
            LinkFormat.parse(links(random), LinkFormat.Limits.NONE),
            List.of());
    desk.store
        .submit(
            new Batch(
                new EndpointName("mote" + random.nextInt(2), ""),
                desk.now,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(registration.toFact())))
        .join();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 7641})
  void whatAnObserverHeardLastIsWhatAFreshQuestionIsAnswered(long seed) {
    Random random = new Random(seed);
    QUESTIONS.forEach(question -> observers.add(new Observer(question)));
    int steps = 400;
    for (int step = 0; step < steps; step++) {
      change(random);
      observers.forEach(Observer::hear);
      // What is beyond its lifetime is out of lookups at once; observers hear of it at the pass.
      desk.directory.pass();
      observers.forEach(Observer::hear);
      for (Observer observer : observers) {
        Response fresh = desk.ask("GET " + observer.question);
        assertThat(Desk.text(observer.last))
            .as("step %d: %s", step, observer.question)
            .isEqualTo(Desk.text(fresh));
      }
    }
    Observer everything = observers.getFirst();
    assertThat(everything.asked).isGreaterThan(steps / 2);
    for (Observer narrow : observers) {
      if (narrow.question.contains("ep=n3") || narrow.question.contains("nothing")) {
        assertThat(narrow.asked).as(narrow.question).isLessThan(everything.asked / 3);
      }
    }
  }

  @Test
  void aChangeWakesOnlyThoseWhomItCanHaveToDoWith() {
    Observer mine = new Observer("/rd-lookup/res?ep=mine&rt=t");
    Observer others = new Observer("/rd-lookup/res?ep=others&rt=t");
    Observer otherType = new Observer("/rd-lookup/res?ep=mine&rt=u");
    Observer core = new Observer("/.well-known/core");
    desk.ask("POST /rd?ep=mine", "</a>;rt=t");
    assertThat(mine.told).isTrue();
    assertThat(others.told || otherType.told || core.told).isFalse();
  }

  @Test
  void aRegistrationIsObservedForItself() {
    desk.ask("POST /rd?ep=a", "</a>");
    desk.ask("POST /rd?ep=b", "</b>");
    Observer first = new Observer("/rd/1");
    desk.ask("POST /rd?ep=b", "</c>");
    assertThat(first.told).isFalse();
    desk.ask("POST /rd?ep=a", "</d>");
    assertThat(first.told).isTrue();
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
  void fewLookupsAreObservedThatOneChangeHasToDoWith(String question) {
    int watched = 0;
    for (int i = 0; i < 1_000; i++) {
      Topic topic = desk.ask("GET " + question.formatted(i)).topic();
      if (topic != null) {
        watched++;
        desk.topics.watch(topic, new AtomicInteger()::incrementAndGet);
      }
    }
    assertThat(watched).isEqualTo(256);
    for (String other : List.of("/rd-lookup/res", "/rd-lookup/ep?ep=n1", "/rd-lookup/res?rt=t9")) {
      assertThat(desk.ask("GET " + other).topic()).as(other).isNotNull();
    }
  }

  @Test
  void whoeverObservesWhatOthersDoIsAlwaysTaken() {
    for (int i = 0; i < 256; i++) {
      Response answer = desk.ask("GET /rd-lookup/ep?ep=x%d*".formatted(i));
      desk.topics.watch(
          Objects.requireNonNull(answer.topic()), new AtomicInteger()::incrementAndGet);
    }
    assertThat(desk.ask("GET /rd-lookup/ep?ep=x7*").topic()).isNotNull();
    assertThat(desk.ask("GET /rd-lookup/ep?ep=another*").topic()).isNull();
  }
}
