package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.state.EndpointName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Registration by asking the registrant (RFC 9176 section 5.1). */
class SimpleRegistrationTest {
  private final Desk desk = new Desk();

  /** What a registrant shows, for a minute. */
  private static CompletableFuture<Fetcher.Fetched> fetched() {
    return CompletableFuture.completedFuture(
        new Fetcher.Fetched("</a>".getBytes(StandardCharsets.UTF_8), 60));
  }

  @Test
  void simpleRegistrationIsTakenWhereOlderNodesSendItAndNotOverHttp() {
    desk.fetcher = Optional.of(request -> fetched());
    assertThat(desk.ask("POST /.well-known/core?ep=riot&lt=60").code()).isEqualTo(Code.CHANGED);
    assertThat(desk.lookUp("/rd-lookup/ep?ep=riot")).contains("ep=riot");
    assertThat(desk.ask("DELETE /.well-known/core").code()).isEqualTo(Code.METHOD_NOT_ALLOWED);

    assertThat(desk.answer(desk.overHttp("POST /.well-known/rd?ep=web", "")).code())
        .isEqualTo(Code.NOT_IMPLEMENTED);
  }

  @Test
  void aSimpleRegistrationGoesWithItsLifetime() {
    desk.fetcher = Optional.of(request -> fetched());
    assertThat(desk.ask("POST /.well-known/rd?ep=a&lt=60").code()).isEqualTo(Code.CHANGED);
    String id = desk.register("ep=b&lt=60", "</b>");
    assertThat(desk.lookUp("/rd-lookup/ep?ep=a")).startsWith("</rd/1>");
    desk.pass(Duration.ofSeconds(60));
    // Nobody was told where it is, so nobody renews it there.
    assertThat(desk.ask("POST /rd/1").code()).isEqualTo(Code.NOT_FOUND);
    desk.directory.pass();
    assertThat(desk.directory.registration(new EndpointName("a", ""))).isEmpty();
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
  }

  @Test
  void aSimpleRegistrationIsForVerifiedSourcesOnly() {
    int[] asked = new int[1];
    desk.fetcher =
        Optional.of(
            request -> {
              asked[0]++;
              return fetched();
            });
    desk.caller = Caller.anonymous(Desk.NODE, false);
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.UNAUTHORIZED);
    assertThat(asked[0]).isZero();
    desk.caller = Caller.anonymous(Desk.NODE, true);
    assertThat(desk.ask("POST /.well-known/rd?ep=a&base=coap://h").code())
        .isEqualTo(Code.BAD_REQUEST);
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(asked[0]).as("what is fresh is not asked again").isEqualTo(1);
    desk.pass(Duration.ofSeconds(61));
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(asked[0]).isEqualTo(2);
  }
}
