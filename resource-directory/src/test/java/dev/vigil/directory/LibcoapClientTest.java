package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Interoperation with Debian's libcoap client (package libcoap3-bin). */
class LibcoapClientTest {
  private static final Path CLIENT = Path.of("/usr/bin/coap-client-notls");
  private static final String LONG = "abcdefgh".repeat(1000);

  private CoapServer front;

  @BeforeEach
  void open() throws IOException {
    if (!Files.isExecutable(CLIENT)) {
      System.out.println("skipped: " + CLIENT + " is missing; apt-get install libcoap3-bin");
    }
    assumeTrue(Files.isExecutable(CLIENT), "libcoap3-bin is not installed");
    RequestDispatcher dispatcher =
        new RequestDispatcher(
            List.of(
                Route.of(
                    "/long",
                    request ->
                        CompletableFuture.completedFuture(
                            Response.content(ContentFormat.TEXT, LONG))),
                Route.of(
                    "/count",
                    request ->
                        CompletableFuture.completedFuture(
                            Response.content(ContentFormat.TEXT, "" + request.payload().length)))));
    front =
        CoapServer.open(
            dispatcher,
            new Topics(),
            new CoapSettings(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                // No address is verified, so that the client must answer the Echo challenge.
                address -> false,
                CoapSettings.Limits.standard()),
            List.of(),
            new Clocks(Clock.systemUTC(), System::nanoTime),
            new SecureRandom());
  }

  @AfterEach
  void close() {
    if (front != null) {
      front.close();
    }
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(CLIENT.toString(), "-B", "5"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return output.strip();
  }

  @Test
  void getsABodyInBlocksAfterAnsweringTheEchoChallenge() throws Exception {
    assertThat(run("-m", "get", front.addresses().getFirst() + "/long")).isEqualTo(LONG);
  }

  @Test
  void putsABodyInBlocks() throws Exception {
    assertThat(run("-m", "put", "-e", LONG, front.addresses().getFirst() + "/count"))
        .isEqualTo("8000");
  }

  @Test
  void readsTheDiagnosticOfAnError() throws Exception {
    assertThat(run("-m", "get", front.addresses().getFirst() + "/nowhere"))
        .isEqualTo("4.04 no resource at /nowhere");
  }
}
