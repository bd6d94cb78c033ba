package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Registration by asking the registrant (RFC 9176 section 5.1). */
class SimpleRegistrationTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

  /** The registrant's links, fresh for a minute. */
  private static CompletableFuture<LinkFetcher.Fetched> fetched() {
    return CompletableFuture.completedFuture(
        new LinkFetcher.Fetched("</a>".getBytes(StandardCharsets.UTF_8), 60));
  }

  @Test
  void takesPostToWellKnownCoreButNotOverHttp() {
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
    // The registrant never learned the location, so that nobody renews it there.
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
}
