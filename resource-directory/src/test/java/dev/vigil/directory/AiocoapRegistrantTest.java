package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapLinkFetcher;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.store.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Interoperation with aiocoap's registration client: discovery, registration, lookup, simple
 * registration and removal. Runs the Python that {@code VIGIL_PYTHON} names, else {@code python3};
 * skipped if that Python has no aiocoap.
 */
class AiocoapRegistrantTest {
  private static final String PYTHON =
      Objects.requireNonNullElse(System.getenv("VIGIL_PYTHON"), "python3");

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() == 0 ? output : "exit " + process.exitValue() + "\n" + output;
  }

  private static void assumeAiocoap() throws InterruptedException {
    String missing;
    try {
      missing = run(PYTHON, "-c", "import aiocoap.util.linkformat");
    } catch (IOException e) {
      missing = String.valueOf(e.getMessage());
    }
    if (!missing.isEmpty()) {
      System.out.println(
          "skipped: "
              + PYTHON
              + " has no aiocoap; pip install aiocoap in a venv and"
              + " name its python in VIGIL_PYTHON");
    }
    assumeTrue(missing.isEmpty(), "aiocoap is not installed");
  }

  @Test
  void registersLooksUpAndLeaves() throws Exception {
    assumeAiocoap();
    Topics topics = new Topics();
    CoapLinkFetcher fetcher = new CoapLinkFetcher();
    try (MemoryStore store = new MemoryStore();
        Directory directory =
            new Directory(
                store,
                topics,
                (caller, action, domain) -> new Access.Allowed(),
                DirectoryFixture.CONFIG,
                Clock.systemUTC(),
                new LinkSources(List.of(), Optional.of(fetcher)));
        CoapServer front =
            CoapServer.open(
                new RequestDispatcher(directory.routes()),
                topics,
                new CoapSettings(
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                    InetAddress::isLoopbackAddress,
                    CoapSettings.Limits.standard()),
                List.of(),
                new Clocks(Clock.systemUTC(), System::nanoTime),
                new SecureRandom())) {
      fetcher.attach(front);
      int port = front.sockets().getFirst().getPort();
      List<String> lines =
          run(PYTHON, script().toString(), "127.0.0.1:" + port).strip().lines().toList();

      assertThat(lines).as(String.join("\n", lines)).hasSize(7);
      assertThat(lines.get(0)).isEqualTo("full: registered");
      assertThat(lines.get(1))
          .matches("res: <coap://127\\.0\\.0\\.1:\\d+/sensors/temp>;.*rt=\"temperature-c\".*");
      assertThat(lines.get(2))
          .matches(
              "ep: </rd/1>;ep=full;base=\"coap://127\\.0\\.0\\.1:\\d+\";et=peer;rt=core.rd-ep");
      assertThat(lines.get(3)).isEqualTo("simple: 2.04 ");
      assertThat(lines.get(4)).matches("simple res: <coap://127\\.0\\.0\\.1:\\d+/sensors/temp>;.*");
      assertThat(lines.get(5)).isEqualTo("value: 21.5");
      assertThat(lines.get(6).strip()).isEqualTo("left:");
    }
  }

  private static Path script() throws URISyntaxException {
    return Path.of(
        Objects.requireNonNull(AiocoapRegistrantTest.class.getResource("/registrant.py")).toURI());
  }
}
