package dev.vigil.gateway.coap.dtls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.SharedSecrets;
import dev.vigil.gateway.testing.NatRelay;
import dev.vigil.gateway.testing.OwnSecrets;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.store.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.dtls.DTLSContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts of a DTLS server with real sockets, behind a relay that leads to the last one. */
class SavedSessionsTest {
  private static final Map<String, byte[]> KEYS =
      Map.of("node-7", "0123456789abcdef".getBytes(US_ASCII), "node-8", new byte[16]);
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

  private final MemoryStore store = new MemoryStore();
  private final SettableClock clock = new SettableClock();
  private final KeyPair identity = new SleepyEndpoint("gateway").keys();
  private final List<Gateway> gateways = new ArrayList<>();
  private final Path folder;
  private NatRelay relay;
  private DtlsTestClient client;

  SavedSessionsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** One run of the server. */
  private final class Gateway {
    final SavedSessions sessions;
    final DtlsListener listener;

    Gateway(Path data, SharedSecrets secrets, Map<String, byte[]> keys) throws Exception {
      sessions =
          new SavedSessions(
              new DataFolder(data),
              secrets,
              new Records(store, clock),
              ClusterProperties.NONE,
              new SecureRandom(),
              clock);
      listener =
          new DtlsConnectors(keys, identity, Optional.empty(), List.of(), clock).at(ANY_PORT);
      sessions.restore(List.of(listener));
      DTLSConnector connector = listener.connector();
      connector.setRawDataReceiver(
          message ->
              connector.send(
                  RawData.outbound(message.getBytes(), message.getEndpointContext(), null, false)));
      connector.start();
      relay.leadTo(connector.getAddress());
      gateways.add(this);
    }

    int restored() {
      return listener.statistics().restored();
    }

    long handshakes() {
      return listener.statistics().completed();
    }

    void stop() {
      listener.connector().stop();
      sessions.save(List.of(listener));
      kill();
    }

    void kill() {
      listener.connector().destroy();
    }
  }

  @BeforeEach
  void start() throws Exception {
    relay = new NatRelay(ANY_PORT);
    client = client("node-7");
  }

  private DtlsTestClient client(String name) throws Exception {
    return new DtlsTestClient(relay.port(), name, requireNonNull(KEYS.get(name)));
  }

  private Gateway gateway() throws Exception {
    return new Gateway(folder, OwnSecrets.NONE_SHARED, KEYS);
  }

  /** A gateway that served the client and was stopped in an orderly way. */
  private void hasServed() throws Exception {
    Gateway gateway = gateway();
    assertThat(client.ask("first")).isEqualTo("first");
    gateway.stop();
  }

  /** The client gets a new session, and has no other. */
  private void assertHandshake(Gateway gateway) throws Exception {
    assertThat(gateway.restored()).isZero();
    client.forgetSession();
    assertThat(client.ask("again")).isEqualTo("again");
    assertThat(gateway.handshakes()).isEqualTo(1);
  }

  private Path file() {
    return folder.resolve("coaps.sessions");
  }

  @AfterEach
  void stop() {
    client.close();
    gateways.forEach(Gateway::kill);
    relay.close();
  }

  @Test
  void aClientContinuesWithoutAHandshakeAfterEachOrderlyStop() throws Exception {
    hasServed();
    for (String text : List.of("second", "third")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
          .isEqualTo("rw-------");
      Gateway next = gateway();
      assertThat(file()).doesNotExist();
      relay.moveClient();
      assertThat(client.ask(text)).isEqualTo(text);
      assertThat(next.restored()).isEqualTo(1);
      assertThat(next.handshakes()).isZero();
      next.stop();
    }
  }

  @Test
  void aCrashAfterTheStartLosesTheSessions() throws Exception {
    hasServed();
    Gateway second = gateway();
    assertThat(client.ask("second")).isEqualTo("second");
    second.kill();
    assertHandshake(gateway());
  }

  @Test
  void aCopyOfTheDataFolderContinuesNoSession() throws Exception {
    hasServed();
    Path copy = Files.createDirectory(folder.resolve("copy"));
    Files.copy(file(), copy.resolve("coaps.sessions"), StandardCopyOption.COPY_ATTRIBUTES);
    assertHandshake(new Gateway(copy, OwnSecrets.NONE_SHARED, KEYS));
    assertThat(copy.resolve("coaps.sessions")).doesNotExist();
  }

  @Test
  void aFileThatWasReadIsNotUsedAgain() throws Exception {
    hasServed();
    byte[] octets = Files.readAllBytes(file());
    gateway().kill();
    Files.write(file(), octets);
    assertHandshake(gateway());
    assertThat(file()).doesNotExist();
  }

  @Test
  void aDamagedFileIsDeletedAndTheGatewayStarts() throws Exception {
    hasServed();
    Files.write(file(), new byte[] {1, 2, 3});
    assertHandshake(gateway());
    assertThat(file()).doesNotExist();
  }

  @Test
  void sessionsOfAnotherIdentityKeyAreNotRestored() throws Exception {
    hasServed();
    SharedSecrets other =
        new SharedSecrets() {
          @Override
          public byte[] derive(String purpose) {
            return new byte[32];
          }

          @Override
          public String agree(String name, Predicate<String> usable, Supplier<String> own) {
            return own.get();
          }
        };
    assertHandshake(new Gateway(folder, other, KEYS));
  }

  @Test
  void sessionsOfMoreThanAnHourAgoAreNotRestored() throws Exception {
    hasServed();
    clock.pass(SavedSessions.MAX_AGE.plusSeconds(1));
    assertHandshake(gateway());
  }

  @Test
  void sessionsOfTheFutureAreNotRestored() throws Exception {
    hasServed();
    clock.pass(Duration.ofHours(-1));
    assertHandshake(gateway());
  }

  @Test
  void aChangedOrRemovedKeyEndsItsSessionsOnly() throws Exception {
    try (DtlsTestClient other = client("node-8")) {
      Gateway first = gateway();
      assertThat(client.ask("first")).isEqualTo("first");
      assertThat(other.ask("other")).isEqualTo("other");
      first.stop();
      Map<String, byte[]> changed = Map.of("node-7", new byte[16], "node-8", new byte[16]);
      Gateway second = new Gateway(folder, OwnSecrets.NONE_SHARED, changed);
      assertThat(second.restored()).isEqualTo(1);
      assertThat(other.ask("second")).isEqualTo("second");
      second.stop();
      assertThat(new Gateway(folder, OwnSecrets.NONE_SHARED, Map.of()).restored()).isZero();
    }
  }

  @Test
  void twoGatewaysThatRestoreTheImageOfADiskUseDifferentRecordNumbers() throws Exception {
    Gateway gateway = gateway();
    assertThat(client.ask("first")).isEqualTo("first");
    gateway.listener.connector().stop();
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    assertThat(gateway.listener.save(saved)).isEqualTo(1);
    long before = context(saved).getNextSequenceNumber();
    DTLSContext one = context(saved);
    DTLSContext other = context(saved);
    SecureRandom random = new SecureRandom();
    assertThat(RecordNumbers.skip(one, random)).isTrue();
    assertThat(RecordNumbers.skip(other, random)).isTrue();
    long first = one.getNextSequenceNumber();
    assertThat(first).isBetween(before, before + RecordNumbers.MAX_SKIP);
    assertThat(Math.abs(first - other.getNextSequenceNumber())).isGreaterThan(10_000);
    assertThat(one.isRecordProcessable(1, 0, 0)).as("a repeated record").isFalse();
    int restarts = 0;
    while (RecordNumbers.skip(one, random)) {
      restarts++;
    }
    assertThat(restarts).isGreaterThan(60);
    assertThat(one.getNextSequenceNumber()).isLessThan(1L << 39);
  }

  /** The only saved connection. */
  private DTLSContext context(ByteArrayOutputStream saved) throws Exception {
    List<DTLSContext> found = new ArrayList<>();
    new DtlsConnectors(KEYS, identity, Optional.empty(), List.of(), clock)
        .at(ANY_PORT)
        .load(
            new ByteArrayInputStream(saved.toByteArray()),
            0,
            connection -> !found.add(connection.getEstablishedDtlsContext()));
    return found.getFirst();
  }
}
