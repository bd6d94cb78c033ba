package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.lookup.LookupLimits;
import dev.vigil.directory.registration.RegistrationLimits;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bounds on the memory of registrations and on the cost of lookups. */
class DirectoryBoundsTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void limit(long octets, int largeLookups) {
    fixture.reopen(
        DirectoryFixture.CONFIG
            .with(RegistrationLimits.standard().withOctets(octets).withRate(100_000, 10))
            .with(new LookupLimits(100_000, 65_536, largeLookups)));
  }

  /** Links with distinct attributes. */
  private static String links(String prefix, int attributes) {
    return IntStream.range(0, attributes)
        .mapToObj(i -> (i % 60 == 0 ? ",</" + i + ">" : "") + ";" + prefix + i)
        .collect(Collectors.joining())
        .substring(1);
  }

  @Test
  void aFullDirectoryAcceptsOnlyUnchangedRenewals() {
    limit(200_000, 2);
    int accepted = 0;
    Response last = fixture.ask("POST /rd?ep=n0", "</" + "a".repeat(1_000) + ">;rt=\"x\"");
    String first = String.join("/", last.location());
    while (last.code().isSuccess() && accepted < 1_000) {
      last = fixture.ask("POST /rd?ep=n" + ++accepted, "</" + "a".repeat(1_000) + ">;rt=\"x\"");
    }
    assertThat(accepted).isBetween(50, 200);
    assertThat(last.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(DirectoryFixture.text(last)).isEqualTo("the directory is full");
    assertThat(last.maxAge()).isPositive();

    String same = "</" + "a".repeat(1_000) + ">;rt=\"x\"";
    assertThat(fixture.ask("POST /rd?ep=n0", same).code()).isEqualTo(Code.CREATED);
    assertThat(fixture.ask("POST /" + first + "?lt=100").code()).isEqualTo(Code.CHANGED);
    assertThat(fixture.ask("POST /" + first + "?et=more").code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(fixture.ask("POST /rd?ep=n0", same + ";if=\"y\"").code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(fixture.lookUp("/rd-lookup/ep?ep=n1")).contains("ep=n1");

    assertThat(fixture.ask("DELETE /" + first).code()).isEqualTo(Code.DELETED);
    assertThat(fixture.ask("POST /rd?ep=another", "</a>").code()).isEqualTo(Code.CREATED);
  }

  @Test
  void distinctAttributesCountWithTheirFullMemory() {
    limit(5_200_000, 2);
    String links = links("a", 8_000);
    assertThat(links.length()).isLessThan(65_536);
    assertThat(fixture.ask("POST /rd?ep=a", links).code()).isEqualTo(Code.CREATED);
    assertThat(fixture.ask("POST /rd?ep=b", links).code()).as("the same").isEqualTo(Code.CREATED);
    assertThat(fixture.ask("POST /rd?ep=c", links("c", 8_000)).code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void submittedRegistrationsCountBeforeTheyAreStored() {
    limit(4_000_000, 2);
    fixture.store.hold();
    List<CompletableFuture<Response>> answers =
        IntStream.range(0, 10)
            .mapToObj(i -> fixture.request("POST /rd?ep=n" + i, links("n" + i, 8_000), List.of()))
            .map(request -> new RequestDispatcher(fixture.directory.routes()).answer(request))
            .toList();
    assertThat(answers.stream().filter(CompletableFuture::isDone)).as("refused").hasSize(9);
    fixture.store.release();
    assertThat(answers.stream().map(CompletableFuture::join).filter(r -> r.code().isSuccess()))
        .hasSize(1);
  }

  @Test
  void unverifiedSourcesGetHalfOfTheMemory() {
    limit(200_000, 2);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    int unverified = acceptedUntil(Code.UNAUTHORIZED, "s");
    assertThat(fixture.ask("POST /rd?ep=s0", links("a", 20)).code()).isEqualTo(Code.CREATED);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    int verified = acceptedUntil(Code.SERVICE_UNAVAILABLE, "n");
    assertThat(verified).isBetween(unverified / 2, unverified * 2);
  }

  @Test
  void unverifiedSourcesGetHalfOfTheRegistrations() {
    fixture.reopen(
        DirectoryFixture.CONFIG.with(
            RegistrationLimits.standard().withRegistrations(10).withRate(1_000, 10)));
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    assertThat(acceptedUntil(Code.UNAUTHORIZED, "s")).isEqualTo(5);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(acceptedUntil(Code.SERVICE_UNAVAILABLE, "n")).isEqualTo(5);
  }

  private int acceptedUntil(Code refusal, String name) {
    for (int accepted = 0; ; accepted++) {
      Code code = fixture.ask("POST /rd?ep=" + name + accepted, links("a", 20)).code();
      if (!code.isSuccess()) {
        assertThat(code).isEqualTo(refusal);
        return accepted;
      }
      assertThat(accepted).isLessThan(1_000);
    }
  }

  private void fill(int endpoints) {
    String links = links("a", 1_000);
    for (int i = 0; i < endpoints; i++) {
      assertThat(fixture.ask("POST /rd?d=d%d&ep=n%d".formatted(i, i), links).code())
          .isEqualTo(Code.CREATED);
    }
  }

  @Test
  void asksUnverifiedSourcesForAnEchoBeforeLargeLookups() {
    limit(1 << 30, 0);
    fill(60);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    for (String query :
        new String[] {"res", "res?page=910&count=1", "res?a1=&a999=*", "ep?a1=x*"}) {
      Response answer = fixture.ask("GET /rd-lookup/" + query);
      assertThat(answer.code()).as(query).isIn(Code.UNAUTHORIZED, Code.CONTENT);
      if (!query.startsWith("ep")) {
        assertThat(answer.code()).as(query).isEqualTo(Code.UNAUTHORIZED);
      }
    }
    assertThat(fixture.lookUp("/rd-lookup/ep?ep=n7")).contains("n7");
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(fixture.ask("GET /rd-lookup/res?page=1&count=9").code()).isEqualTo(Code.CONTENT);
  }

  /** One datagram must not make the directory parse or write 64 KiB of links. */
  @Test
  void asksUnverifiedSourcesForAnEchoBeforeItReadsAnEntry() {
    limit(1 << 30, 0);
    String links = links("a", 8_000);
    String id = fixture.register("ep=large", links);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    for (String line : new String[] {"GET /rd/", "POST /rd/", "DELETE /rd/"}) {
      String change = line.startsWith("POST") ? id + "?lt=77" : id;
      assertThat(fixture.ask(line + change).code()).as(line).isEqualTo(Code.UNAUTHORIZED);
      assertThat(octetsAllocatedBy(() -> fixture.ask(line + change))).as(line).isLessThan(65_536);
    }
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(fixture.ask("GET /rd/" + id).payload()).hasSizeGreaterThan(40_000);
  }

  private static long octetsAllocatedBy(Runnable task) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    task.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void asksUnverifiedSourcesForAnEchoOnceTheirReadsCostMuchTogether() {
    limit(1 << 30, 0);
    String id = fixture.register("ep=small", links("a", 400));
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    int answered = 0;
    while (answered < 10_000 && fixture.ask("GET /rd/" + id).code() == Code.CONTENT) {
      answered++;
    }
    assertThat(answered).isBetween(100, 9_999);
    assertThat(fixture.ask("GET /rd-lookup/ep?ep=small").code()).isEqualTo(Code.UNAUTHORIZED);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(fixture.ask("GET /rd/" + id).code()).isEqualTo(Code.CONTENT);
  }

  @Test
  void asksUnverifiedSourcesForAnEchoOnceTheirLookupsCostMuchTogether() {
    limit(1 << 30, 2);
    fill(60);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    assertThat(fixture.ask("GET /rd-lookup/ep?ep=n7").code()).isEqualTo(Code.CONTENT);
    for (int i = 0; i < 1_000; i++) {
      assertThat(fixture.ask("GET /rd-lookup/res").code()).isEqualTo(Code.UNAUTHORIZED);
    }
    assertThat(fixture.ask("GET /rd-lookup/ep?ep=n7").code()).isEqualTo(Code.UNAUTHORIZED);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(fixture.ask("GET /rd-lookup/ep?ep=n7").code()).isEqualTo(Code.CONTENT);
  }

  @Test
  void limitsTheWorkOfOneSourceAndNotOfOthers() {
    limit(1 << 30, 2);
    fill(60);
    int answered = 0;
    while (answered < 10_000
        && fixture.ask("GET /rd-lookup/res?count=1&page=59999").code() == Code.CONTENT) {
      answered++;
    }
    assertThat(answered).isBetween(20, 9_999);
    Response refused = fixture.ask("GET /rd-lookup/ep?ep=n7");
    assertThat(refused.code()).isEqualTo(Code.TOO_MANY_REQUESTS);
    assertThat(refused.maxAge()).isBetween(1L, 20L);
    fixture.caller = Caller.anonymous(DirectoryFixture.address("2001:db8:3::124", 1), true);
    assertThat(fixture.ask("GET /rd-lookup/ep?ep=n7").code()).isEqualTo(Code.CONTENT);
  }

  @Test
  void unverifiedSourcesShareOneRateOfChanges() {
    fixture.reopen(DirectoryFixture.CONFIG.with(RegistrationLimits.standard().withRate(2, 2)));
    for (int i = 0; i < 4; i++) {
      fixture.caller = Caller.anonymous(DirectoryFixture.address("2001:db8::" + i, 1), false);
      assertThat(fixture.ask("POST /rd?ep=s" + i, "</a>").code()).isEqualTo(Code.CREATED);
    }
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    assertThat(fixture.ask("POST /rd?ep=a", "</a>").code()).isEqualTo(Code.UNAUTHORIZED);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(fixture.ask("POST /rd?ep=a", "</a>").code()).isEqualTo(Code.CREATED);
  }

  @Test
  void limitsConcurrentLargeLookupsButNotSmallOnes() throws Exception {
    limit(1 << 30, 1);
    fill(260);
    CountDownLatch halfway = new CountDownLatch(1);
    CountDownLatch resume = new CountDownLatch(1);
    fixture.access =
        (caller, action, domain) -> {
          if (domain.equals("d259")) {
            halfway.countDown();
            await(resume);
          }
          return new Access.Allowed();
        };
    CompletableFuture<Response> large =
        CompletableFuture.supplyAsync(() -> fixture.ask("GET /rd-lookup/res?count=1&page=4419"));
    assertThat(halfway.await(30, TimeUnit.SECONDS)).isTrue();
    Response second = fixture.ask("GET /rd-lookup/res?page=2000&count=2");
    assertThat(second.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(second.maxAge()).isEqualTo(1);
    assertThat(fixture.ask("GET /rd-lookup/res?ep=n7&count=1").code()).isEqualTo(Code.CONTENT);
    resume.countDown();
    assertThat(large.get(30, TimeUnit.SECONDS).code()).isEqualTo(Code.CONTENT);
    assertThat(fixture.ask("GET /rd-lookup/res?page=2000&count=2").code()).isEqualTo(Code.CONTENT);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
