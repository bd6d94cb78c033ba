package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Simple registration, which fetches the registrant's links (RFC 9176 section 5.1). */
class SimpleRegistrationTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

  /** The registrant's links, fresh for a minute. */
  private static CompletableFuture<LinkFetcher.Fetched> fetched() {
    return CompletableFuture.completedFuture(
        new LinkFetcher.Fetched("</a>".getBytes(StandardCharsets.UTF_8), 60));
  }

  @Test
  void acceptsPostToWellKnownCoreButNotOverHttp() {
    fixture.fetcher = Optional.of(request -> fetched());
    assertThat(fixture.ask("POST /.well-known/core?ep=riot&lt=60").code()).isEqualTo(Code.CHANGED);
    assertThat(fixture.lookUp("/rd-lookup/ep?ep=riot")).contains("ep=riot");
    assertThat(fixture.ask("DELETE /.well-known/core").code()).isEqualTo(Code.METHOD_NOT_ALLOWED);

    assertThat(fixture.answer(fixture.overHttp("POST /.well-known/rd?ep=web", "")).code())
        .isEqualTo(Code.NOT_IMPLEMENTED);
  }

  @Test
  void hasNoGracePeriod() {
    fixture.fetcher = Optional.of(request -> fetched());
    assertThat(fixture.ask("POST /.well-known/rd?ep=a&lt=60").code()).isEqualTo(Code.CHANGED);
    String id = fixture.register("ep=b&lt=60", "</b>");
    assertThat(fixture.lookUp("/rd-lookup/ep?ep=a")).startsWith("</rd/1>");
    fixture.advance(Duration.ofSeconds(60));
    // The registrant never learned the location, so nobody renews it there.
    assertThat(fixture.ask("POST /rd/1").code()).isEqualTo(Code.NOT_FOUND);
    fixture.directory.expire();
    assertThat(fixture.directory.registration(new EndpointName("a", ""))).isEmpty();
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
  }

  @Test
  void needsAVerifiedSource() {
    int[] fetches = new int[1];
    fixture.fetcher =
        Optional.of(
            request -> {
              fetches[0]++;
              return fetched();
            });
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, false);
    assertThat(fixture.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.UNAUTHORIZED);
    assertThat(fetches[0]).isZero();
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(fixture.ask("POST /.well-known/rd?ep=a&base=coap://h").code())
        .isEqualTo(Code.BAD_REQUEST);
    assertThat(fixture.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(fixture.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(fetches[0]).as("fresh links are not fetched again").isEqualTo(1);
    fixture.advance(Duration.ofSeconds(61));
    assertThat(fixture.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(fetches[0]).isEqualTo(2);
  }

  private CompletableFuture<Response> begin(String address, int port, String ep) {
    fixture.caller = Caller.anonymous(DirectoryFixture.address(address, port), true);
    return new RequestDispatcher(fixture.directory.routes())
        .answer(fixture.request("POST /.well-known/rd?ep=" + ep, "", List.of()));
  }

  @Test
  void fetchesUnderWayAreBoundedAndSharedBySource() {
    List<CompletableFuture<LinkFetcher.Fetched>> unanswered = new ArrayList<>();
    fixture.fetcher =
        Optional.of(
            request -> {
              CompletableFuture<LinkFetcher.Fetched> fetch = new CompletableFuture<>();
              unanswered.add(fetch);
              return fetch;
            });
    for (int i = 0; i < 1_000; i++) {
      begin("2001:db8:bad:" + i + "::1", 1_000 + i, "never-" + i);
    }
    assertThat(unanswered.stream().filter(one -> !one.isDone())).hasSize(192);
    CompletableFuture<Response> honest = begin("2001:db8:900d::1", 5683, "honest");
    unanswered
        .getLast()
        .complete(new LinkFetcher.Fetched("</h>".getBytes(StandardCharsets.UTF_8), 60));
    assertThat(honest.join().code()).isEqualTo(Code.CHANGED);
    assertThat(unanswered.stream().filter(one -> !one.isDone())).hasSize(191);
  }

  @Test
  void fetchedLinksAreKeptInBoundedMemory() {
    int[] fetches = new int[1];
    byte[] large = ("</" + "a".repeat(4_000) + ">").getBytes(StandardCharsets.UTF_8);
    fixture.fetcher =
        Optional.of(
            request -> {
              fetches[0]++;
              return CompletableFuture.completedFuture(new LinkFetcher.Fetched(large, 3_600));
            });
    for (int i = 0; i < 300; i++) {
      assertThat(begin("192.0.2." + i % 200, 5_683 + i, "large-" + i).join().code())
          .isEqualTo(Code.CHANGED);
    }
    begin("192.0.2.99", 5_683 + 299, "large-299").join();
    assertThat(fetches[0]).as("the latest is fresh").isEqualTo(300);
    begin("192.0.2.0", 5_683, "large-0").join();
    assertThat(fetches[0]).as("the first had to leave").isEqualTo(301);
  }
}
