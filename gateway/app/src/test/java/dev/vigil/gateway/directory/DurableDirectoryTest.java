package dev.vigil.gateway.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.store.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory with the real store, which is closed and opened again. */
class DurableDirectoryTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir Path folder;

  /** One run of the gateway's directory with a fixed clock. */
  private final class Run implements AutoCloseable {
    final Store store = SqliteStore.open(folder, System::nanoTime);
    final Directory directory;

    Run(Instant now) {
      directory =
          new Directory(
              store,
              new Topics(),
              (caller, action, domain) -> new Access.Allowed(),
              DirectoryConfig.standard(
                  new PublishedLocation("", "/ms", "/keys", ContentFormat.JWK)),
              Clock.fixed(now, ZoneOffset.UTC),
              LinkSources.NONE);
    }

    Response ask(Method method, String path, String query, String links) throws Exception {
      byte[] payload = links.getBytes(StandardCharsets.UTF_8);
      Request request =
          new Request(
              method,
              Arrays.asList(path.split("/")),
              new Query(
                  query.isEmpty()
                      ? List.of()
                      : Arrays.stream(query.split("&")).map(Query.Parameter::parse).toList()),
              payload.length == 0 ? null : ContentFormat.LINK_FORMAT,
              payload,
              List.of(),
              true,
              Caller.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5683), true),
              "coap://gw.example");
      return new RequestDispatcher(directory.routes()).answer(request).get(30, TimeUnit.SECONDS);
    }

    String lookUp(String query) throws Exception {
      return new String(
          ask(Method.GET, "rd-lookup/res", query, "").payload(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      directory.close();
      store.close();
    }
  }

  @Test
  void registrationsUpdatesAndRemovalsSurviveARestart() throws Exception {
    List<String> location;
    String before;
    try (Run run = new Run(START)) {
      Response created =
          run.ask(Method.POST, "rd", "ep=a&d=s&lt=60&et=x", "</t>;rt=\"temp \\\"C\\\"\";obs");
      assertThat(created.code()).isEqualTo(Code.CREATED);
      location = created.location();
      String gone = run.ask(Method.POST, "rd", "ep=gone", "</g>").location().getLast();
      assertThat(run.ask(Method.DELETE, "rd/" + gone, "", "").code()).isEqualTo(Code.DELETED);
      assertThat(run.ask(Method.POST, String.join("/", location), "base=coap://h", "").code())
          .isEqualTo(Code.CHANGED);
      before = run.lookUp("");
      assertThat(before).isEqualTo("<coap://h/t>;rt=\"temp \\\"C\\\"\";obs");
    }
    try (Run run = new Run(START.plus(Duration.ofSeconds(59)))) {
      assertThat(run.lookUp("")).isEqualTo(before);
      assertThat(run.lookUp("et=x&rt=temp")).isEqualTo(before);
      assertThat(run.ask(Method.POST, "rd", "ep=a&d=s&lt=60", "</t>").location())
          .isEqualTo(location);
    }
    try (Run run = new Run(START.plus(Duration.ofSeconds(118)))) {
      assertThat(run.lookUp("ep=a")).isNotEmpty();
    }
    try (Run run = new Run(START.plus(Duration.ofSeconds(119)))) {
      assertThat(run.lookUp("ep=a")).isEmpty();
      assertThat(run.ask(Method.POST, String.join("/", location), "", "").code())
          .isEqualTo(Code.CHANGED);
      assertThat(run.lookUp("ep=a")).isNotEmpty();
    }
  }
}
