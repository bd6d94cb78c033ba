package dev.vigil.gateway.coap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mote in a closed domain that observes its commands and gets another address. */
class MovedMoteTest {
  private static final String LINKS = "</temp>;rt=\"temperature\",</led>;rt=\"led\";if=\"core.a\"";

  @TempDir static Path folder = Path.of("");

  @Test
  void isToldOfTheNextCommandAtItsNewAddress() throws Exception {
    SleepyEndpoint mote = new SleepyEndpoint("moved");
    SleepyEndpoint commander = new SleepyEndpoint("commander");
    try (InProcessGateway gateway =
            new InProcessGateway(
                folder,
                "--vigil.trust=first-use",
                "--vigil.default-domain.commanders[0]=" + commander.jwk());
        CoapTestClient before = at(gateway, "127.0.0.2");
        CoapTestClient after = at(gateway, "127.0.0.3")) {
      String entry = new HttpTestClient(gateway.address("http")).register(mote, 1, LINKS);
      BlockingQueue<String> old = observePending(before, entry, mote.update("temp", 2, 20));
      BlockingQueue<String> moved = observePending(after, entry, mote.update("temp", 3, 21));
      String commands =
          "/api/endpoints" + entry.substring("/ms".length()) + "/resources/led/commands";
      String command = commander.command("moved", "led", 5);
      assertThat(
              new OperatorClient(gateway)
                  .send("POST", commands, "application/jose", command)
                  .statusCode())
          .isEqualTo(201);
      assertThat(moved.poll(30, TimeUnit.SECONDS)).contains("/led?command=5");
      assertThat(old.poll(30, TimeUnit.SECONDS)).contains("only the endpoint may ask");
    }
  }

  private static CoapTestClient at(InProcessGateway gateway, String address) {
    return new CoapTestClient(gateway.address("coap"), new InetSocketAddress(address, 0));
  }

  /** Observes the commands after an update, as a mote does. No command is pending. */
  private static BlockingQueue<String> observePending(
      CoapTestClient mote, String entry, String update) throws InterruptedException {
    assertThat(mote.put(entry + "/temp", update, ContentFormat.JOSE.number()).code())
        .isIn("2.01", "2.04");
    BlockingQueue<String> pending = mote.observe(entry + "?pending");
    assertThat(pending.poll(30, TimeUnit.SECONDS)).isEmpty();
    return pending;
  }
}
