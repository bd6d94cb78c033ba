package dev.vigil.border.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Tshark;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.storage.CounterFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.californium.core.CoapResource;
import org.eclipse.californium.core.CoapServer;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.server.resources.CoapExchange;
import org.eclipse.californium.core.server.resources.Resource;
import org.eclipse.californium.elements.config.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our own mote, the C program, over the ether to Californium behind the bridge. */
class RealMoteTest {
  @TempDir Path folder;

  /** The mote built by {@code make} in mote-firmware, or the mote that VIGIL_MOTE names. */
  private static Optional<Path> mote() {
    String named = System.getenv("VIGIL_MOTE");
    Path built =
        Path.of(System.getProperty("vigil.vectors", ".")).resolve("../build/posix/vigil-mote");
    return Optional.of(named == null ? built : Path.of(named)).filter(Files::isExecutable);
  }

  /** Accepts every registration and every update. */
  private static final class Anything extends CoapResource {
    private final Queue<String> requests;

    Anything(String name, Queue<String> requests) {
      super(name);
      this.requests = requests;
    }

    @Override
    public Resource getChild(String name) {
      return this;
    }

    @Override
    public void handlePOST(CoapExchange exchange) {
      requests.add("POST " + exchange.getRequestOptions().getUriPathString());
      exchange.setLocationPath("ms/1");
      exchange.respond(CoAP.ResponseCode.CREATED);
    }

    @Override
    public void handlePUT(CoapExchange exchange) {
      requests.add("PUT " + exchange.getRequestOptions().getUriPathString());
      exchange.respond(CoAP.ResponseCode.CHANGED);
    }
  }

  @Test
  void registersAndUpdatesOverTheVirtualRadio() throws Exception {
    Optional<Path> program = mote();
    Assumptions.assumeTrue(program.isPresent(), "no vigil-mote: run make in mote-firmware");
    Queue<String> requests = new ConcurrentLinkedQueue<>();
    CounterFile counters = new CounterFile(folder.resolve("counters"));
    Path capture = folder.resolve("mote.pcapng");
    BridgeConfig config = BridgeConfig.virtual(0).withCapture(capture);
    try (Bridge bridge =
        new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(1))) {
      bridge.start();
      Configuration coap = Configuration.createStandardWithoutFile();
      CoapServer server = new CoapServer(coap);
      server.add(new Anything("ms", requests));
      server.addEndpoint(
          CoapEndpoint.builder().setConfiguration(coap).setConnector(bridge.connector()).build());
      server.start();
      Process process =
          new ProcessBuilder(
                  program.orElseThrow().toString(),
                  "--ep=tested",
                  "--mirror=coap://[" + TestMote.gateway() + "]",
                  "--zep=127.0.0.1:" + bridge.etherPort().orElseThrow(),
                  "--state=" + folder.resolve("mote.state"),
                  "--wake=0.3",
                  "--count=3",
                  "--sensor=load")
              .redirectErrorStream(true)
              .start();
      List<String> output = process.inputReader().lines().toList();
      assertThat(process.waitFor()).as(String.join("\n", output)).isZero();
      server.destroy();
      assertThat(requests).startsWith("POST ms", "PUT ms/1/load").hasSizeGreaterThanOrEqualTo(3);
      assertThat(bridge.drops()).as("nothing lost").doesNotContainKey("tx_no_ack");
    }
    List<String> decoded = Tshark.fields(capture, "coap.code", "_ws.malformed", "frame.protocols");
    assertThat(decoded).noneMatch(line -> line.contains("alformed"));
    assertThat(decoded).anyMatch(line -> line.startsWith("65\t"));
  }
}
