package dev.vigil.coap.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestDispatcherTest {
  private final RequestDispatcher dispatcher =
      new RequestDispatcher(
          List.of(
              route("/a"),
              route("/a/*"),
              route("/a/b/c"),
              route("/a/b/c/*"),
              route("/x/y/*"),
              route("/.well-known/core")));

  private static Route route(String path) {
    return Route.of(path, request -> CompletableFuture.completedFuture(text(path)));
  }

  private static Response text(String text) {
    return Response.content(ContentFormat.TEXT, text);
  }

  private static Request get(String... path) {
    Caller caller =
        Caller.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), true);
    return new Request(
        Method.GET, List.of(path), Query.EMPTY, null, new byte[0], List.of(), true, caller);
  }

  private static String text(Response response) {
    return new String(response.payload(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "/a, /a",
    "/a/, /a/*",
    "/a/z, /a/*",
    "/a/b, /a/*",
    "/a/b/z, /a/*",
    "/a/b/c, /a/b/c",
    "/a/b/c/d/e, /a/b/c/*",
    "/a/*, /a/*",
    "/x/y/z, /x/y/*",
    "/.well-known/core, /.well-known/core"
  })
  void prefersTheExactThenTheLongestRoute(String path, String route) {
    List<String> segments = Arrays.asList(path.substring(1).split("/", -1));
    assertThat(dispatcher.route(segments).path()).isEqualTo(route);
    assertThat(text(dispatcher.answer(get(segments.toArray(String[]::new))).join()))
        .isEqualTo(route);
  }

  @ParameterizedTest
  @CsvSource({"/x/y", "/x", "/b", "/.well-known/core/a", "/"})
  void answersNotFoundWithoutARoute(String path) {
    String[] segments = path.equals("/") ? new String[0] : path.substring(1).split("/");
    Response response = dispatcher.answer(get(segments)).join();
    assertThat(response.code()).isEqualTo(Code.NOT_FOUND);
    assertThat(text(response)).isEqualTo("no resource at " + path);
    Route route = dispatcher.route(List.of(segments));
    assertThat(route.fastPath() || route.multicast()).isFalse();
    assertThat(route.keySegment()).isEqualTo(Route.NO_KEY);
  }

  @Test
  void rejectsTwoRoutesWithOnePath() {
    for (String path : List.of("/a", "/a/*")) {
      assertThatThrownBy(() -> new RequestDispatcher(List.of(route(path), route(path))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(path);
    }
  }

  @Test
  void countsResponsesByRouteAndCode() {
    RequestDispatcher counting =
        new RequestDispatcher(
            List.of(
                route("/a"),
                Route.of(
                    "/late",
                    request -> new CompletableFuture<Response>().completeAsync(() -> text("late"))),
                Route.of(
                    "/failed",
                    request ->
                        CompletableFuture.failedFuture(
                            new ErrorResponseException(Code.CONFLICT, "older"))),
                Route.of(
                    "/thrown",
                    request -> {
                      throw new ErrorResponseException(Code.CONFLICT, "older");
                    })));
    for (String path : List.of("a", "a", "late", "failed", "thrown", "none", "no/such")) {
      counting.answer(get(path.split("/"))).join();
    }
    assertThat(counting.routePaths()).containsExactly("/*", "/a", "/failed", "/late", "/thrown");
    assertThat(counting.responses("/a", Code.CONTENT)).isEqualTo(2);
    assertThat(counting.responses("/late", Code.CONTENT)).isEqualTo(1);
    assertThat(counting.responses("/failed", Code.CONFLICT)).isEqualTo(1);
    assertThat(counting.responses("/thrown", Code.CONFLICT)).isEqualTo(1);
    assertThat(counting.responses("/*", Code.NOT_FOUND)).isEqualTo(2);
    assertThat(counting.responses("/a", Code.NOT_FOUND)).isZero();
  }

  @Test
  void turnsErrorsIntoResponses() {
    ErrorResponseException conflict = new ErrorResponseException(Code.CONFLICT, "older", 5);
    RequestDispatcher failing =
        new RequestDispatcher(
            List.of(
                Route.of(
                    "/thrown",
                    request -> {
                      throw conflict;
                    }),
                Route.of("/failed", request -> CompletableFuture.failedFuture(conflict)),
                Route.of(
                    "/dependent",
                    request ->
                        CompletableFuture.<Response>failedFuture(conflict).thenApply(r -> r)),
                Route.of(
                    "/bug",
                    request -> {
                      throw new IllegalStateException("secret cause");
                    })));
    for (String path : List.of("thrown", "failed", "dependent")) {
      Response response = failing.answer(get(path)).join();
      assertThat(response.code()).isEqualTo(Code.CONFLICT);
      assertThat(text(response)).isEqualTo("older");
      assertThat(response.maxAge()).isEqualTo(5);
    }
    Response bug = failing.answer(get("bug")).join();
    assertThat(bug.code()).isEqualTo(Code.INTERNAL_SERVER_ERROR);
    assertThat(text(bug)).doesNotContain("secret");
  }
}
