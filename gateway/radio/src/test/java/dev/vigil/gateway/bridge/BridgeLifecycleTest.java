package dev.vigil.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.testing.ListedCompanions;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Starts that the radio refuses. test_lost_files.py and test_refused_starts.py start gateways. */
class BridgeLifecycleTest {
  private final SecureRandom random = new SecureRandom();
  private final Path folder;
  private final Path counters;
  private final CompanionFiles companions;

  BridgeLifecycleTest(@TempDir Path folder) {
    this.folder = folder;
    this.counters = folder.resolve("bridge.counters");
    this.companions = ListedCompanions.in(folder);
  }

  private BridgeLifecycle open(int port) {
    return open("virtual", port);
  }

  private BridgeLifecycle open(String kind, int port) {
    Map<String, String> radio =
        Map.of("border.radios[0].kind", kind, "border.radios[0].port", Integer.toString(port));
    NetworkSettings settings =
        new NetworkSettings(
            new Binder(new MapConfigurationPropertySource(radio))
                .bind("border", BorderProperties.class)
                .get(),
            new Records(new MemoryStore(), Clock.systemUTC()),
            new SecretSealer(LocalKeyPair.generate(random), random),
            ClusterProperties.NONE);
    return new BridgeLifecycle(settings, companions, Clock.systemUTC(), System::nanoTime, random);
  }

  /** A slip-radio has an EUI-64 of its own, so the link-local address is not known yet. */
  @ParameterizedTest
  @CsvSource({"virtual, fe80::56:4947:494c:1", "tcp, fd00::56:4947:494c:1"})
  void theAddressForMotesIsOneThatTheGatewayHas(String kind, String address) {
    BridgeLifecycle network = open(kind, 0);
    assertThat(network.meshUri()).contains("coap://[" + address + "]:5683");
    network.destroy();
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refusal() {
    return assertThatThrownBy(() -> open(0).destroy())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(counters.toString())
        .hasMessageContaining("vigil replace bridge.counters --data-dir " + folder)
        .hasMessageContaining("change the link key");
  }

  @Test
  void aLostCounterFileStopsTheStartAndStaysLost() throws IOException {
    open(0).destroy();
    Files.delete(counters);
    refusal().hasMessageContaining("is missing");
    assertThat(counters).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"'', is empty", "link/1/sent=\\0\\0\\n.\\n, is damaged in line 1"})
  void aDamagedCounterFileStopsTheStartAndStaysAsItIs(String text, String words)
      throws IOException {
    open(0).destroy();
    String damaged = text.translateEscapes();
    Files.writeString(counters, damaged);
    refusal().hasMessageContaining(words);
    assertThat(counters).hasContent(damaged);
  }

  @Test
  void aPortInUseIsNamed() throws IOException {
    try (DatagramSocket holder = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      int port = holder.getLocalPort();
      assertThatThrownBy(() -> open(port).destroy())
          .cause()
          .hasMessageStartingWith("cannot open the radio: ")
          .hasMessageContaining("(UDP port " + port + ")")
          .hasMessageContaining("--zep-port");
    }
  }
}
