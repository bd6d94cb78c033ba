package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What strangers can make the directory hold, and look at. */
class DirectoryBoundsTest {
  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
  }

  private void bound(long octets, int largeLookups) {
    DirectoryConfig standard = DirectoryConfig.standard();
    desk.open(
        new DirectoryConfig(
            "",
            standard.grace(),
            standard.maxRegistrations(),
            standard.links(),
            standard.maxResults(),
            100_000,
            10,
            octets,
            largeLookups));
  }

  /** Of so many octets, no two attributes alike. */
  private static String links(String of, int attributes) {
    return IntStream.range(0, attributes)
        .mapToObj(i -> (i % 60 == 0 ? ",</" + i + ">" : "") + ";" + of + i)
        .collect(Collectors.joining())
        .substring(1);
  }

  @Test
  void aFullDirectoryRenewsWhatItHasAndTakesNothingMore() {
    bound(200_000, 2);
    int taken = 0;
    Response last = desk.ask("POST /rd?ep=n0", "</" + "a".repeat(1_000) + ">;rt=\"x\"");
    String first = String.join("/", last.location());
    while (last.code().isSuccess() && taken < 1_000) {
      last = desk.ask("POST /rd?ep=n" + ++taken, "</" + "a".repeat(1_000) + ">;rt=\"x\"");
    }
    assertThat(taken).isBetween(50, 200);
    assertThat(last.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(Desk.text(last)).isEqualTo("the directory is full");
    assertThat(last.maxAge()).isPositive();

    String same = "</" + "a".repeat(1_000) + ">;rt=\"x\"";
    assertThat(desk.ask("POST /rd?ep=n0", same).code()).isEqualTo(Code.CREATED);
    assertThat(desk.ask("POST /" + first + "?lt=100").code()).isEqualTo(Code.CHANGED);
    assertThat(desk.ask("POST /" + first + "?et=more").code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(desk.ask("POST /rd?ep=n0", same + ";if=\"y\"").code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(desk.lookUp("/rd-lookup/ep?ep=n1")).contains("ep=n1");

    assertThat(desk.ask("DELETE /" + first).code()).isEqualTo(Code.DELETED);
    assertThat(desk.ask("POST /rd?ep=another", "</a>").code()).isEqualTo(Code.CREATED);
  }

  @Test
  void attributesThatNoneElseHasCountAsWhatTheyTake() {
    bound(5_200_000, 2);
    String links = links("a", 8_000);
    assertThat(links.length()).isLessThan(65_536);
    assertThat(desk.ask("POST /rd?ep=a", links).code()).isEqualTo(Code.CREATED);
    assertThat(desk.ask("POST /rd?ep=b", links).code()).as("the same").isEqualTo(Code.CREATED);
    assertThat(desk.ask("POST /rd?ep=c", links("c", 8_000)).code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void registrationsThatAreStillUnderwayCountToo() {
    bound(4_000_000, 2);
    desk.store.hold();
    List<CompletableFuture<Response>> answers =
        IntStream.range(0, 10)
            .mapToObj(i -> desk.request("POST /rd?ep=n" + i, links("n" + i, 8_000), List.of()))
            .map(request -> new Site(desk.directory.resources()).answer(request))
            .toList();
    assertThat(answers.stream().filter(CompletableFuture::isDone)).as("refused").hasSize(9);
    desk.store.release();
    assertThat(answers.stream().map(CompletableFuture::join).filter(r -> r.code().isSuccess()))
        .hasSize(1);
  }

  @Test
  void strangersLeaveHalfOfTheDirectoryToThoseWhoShowTheirAddress() {
    bound(200_000, 2);
    desk.caller = Caller.anonymous(Desk.NODE, false);
    int strangers = takenUntil(Code.UNAUTHORIZED, "s");
    assertThat(desk.ask("POST /rd?ep=s0", links("a", 20)).code()).isEqualTo(Code.CREATED);
    desk.caller = Caller.anonymous(Desk.NODE, true);
    int others = takenUntil(Code.SERVICE_UNAVAILABLE, "n");
    assertThat(others).isBetween(strangers / 2, strangers * 2);
  }

  @Test
  void strangersLeaveHalfOfTheNumberToo() {
    DirectoryConfig standard = DirectoryConfig.standard();
    desk.open(new DirectoryConfig("", standard.grace(), 10, standard.links(), 10, 1_000, 10));
    desk.caller = Caller.anonymous(Desk.NODE, false);
    assertThat(takenUntil(Code.UNAUTHORIZED, "s")).isEqualTo(5);
    desk.caller = Caller.anonymous(Desk.NODE, true);
    assertThat(takenUntil(Code.SERVICE_UNAVAILABLE, "n")).isEqualTo(5);
  }

  private int takenUntil(Code refusal, String name) {
    for (int taken = 0; ; taken++) {
      Code code = desk.ask("POST /rd?ep=" + name + taken, links("a", 20)).code();
      if (!code.isSuccess()) {
        assertThat(code).isEqualTo(refusal);
        return taken;
      }
      assertThat(taken).isLessThan(1_000);
    }
  }

  private void fill(int endpoints) {
    String links = links("a", 1_000);
    for (int i = 0; i < endpoints; i++) {
      assertThat(desk.ask("POST /rd?d=d%d&ep=n%d".formatted(i, i), links).code())
          .isEqualTo(Code.CREATED);
    }
  }

  @Test
  void whoHasNotShownItsAddressIsAskedForAnEchoBeforeMuchIsLookedAt() {
    bound(1 << 30, 0);
    fill(60);
    desk.caller = Caller.anonymous(Desk.NODE, false);
    for (String query :
        new String[] {"res", "res?page=910&count=1", "res?a1=&a999=*", "ep?a1=x*"}) {
      Response answer = desk.ask("GET /rd-lookup/" + query);
      assertThat(answer.code()).as(query).isIn(Code.UNAUTHORIZED, Code.CONTENT);
      if (!query.startsWith("ep")) {
        assertThat(answer.code()).as(query).isEqualTo(Code.UNAUTHORIZED);
      }
    }
    assertThat(desk.lookUp("/rd-lookup/ep?ep=n7")).contains("n7");
    desk.caller = Caller.anonymous(Desk.NODE, true);
    assertThat(desk.ask("GET /rd-lookup/res?page=1&count=9").code()).isEqualTo(Code.CONTENT);
  }

  @Test
  void manyLargeLookupsDoNotRunAtATimeAndSmallOnesAlwaysDo() throws Exception {
    bound(1 << 30, 1);
    fill(260);
    CountDownLatch halfway = new CountDownLatch(1);
    CountDownLatch on = new CountDownLatch(1);
    desk.access =
        (caller, action, domain) -> {
          if (domain.equals("d259")) {
            halfway.countDown();
            await(on);
          }
          return new Access.Allowed();
        };
    CompletableFuture<Response> large =
        CompletableFuture.supplyAsync(() -> desk.ask("GET /rd-lookup/res?count=1&page=4419"));
    assertThat(halfway.await(20, TimeUnit.SECONDS)).isTrue();
    Response second = desk.ask("GET /rd-lookup/res?page=2000&count=2");
    assertThat(second.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(second.maxAge()).isEqualTo(1);
    assertThat(desk.ask("GET /rd-lookup/res?ep=n7&count=1").code()).isEqualTo(Code.CONTENT);
    on.countDown();
    assertThat(large.get(20, TimeUnit.SECONDS).code()).isEqualTo(Code.CONTENT);
    assertThat(desk.ask("GET /rd-lookup/res?page=2000&count=2").code()).isEqualTo(Code.CONTENT);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
