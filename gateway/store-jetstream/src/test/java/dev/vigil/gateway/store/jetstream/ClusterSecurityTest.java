package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.store.StoreException;
import io.nats.client.NKey;
import io.nats.client.support.JwtUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers with TLS, nkeys and JWTs. Each failure is one line with the remedy and no secret. */
@NeedsNatsServer
class ClusterSecurityTest {
  private static final String PRIVATE = "rw-------";

  @TempDir Path folder = Path.of("");
  private TestAuthority authority;
  private int port;

  @BeforeEach
  void issue() throws IOException {
    authority = new TestAuthority(folder, "authority");
    authority.issue("server", "localhost");
    port = NatsCluster.freePorts(1).getFirst();
  }

  private NatsServer start(boolean verifiesClients, String users) throws IOException {
    String configuration =
        """
        jetstream { store_dir: "%s" }
        tls { cert_file: "%s", key_file: "%s", ca_file: "%s", verify: %s }
        %s
        """
            .formatted(
                folder.resolve("jetstream"),
                authority.certificate("server"),
                authority.key("server"),
                authority.certificate(),
                verifiesClients,
                users);
    NatsServer server = new NatsServer(folder.resolve("server"), port, configuration);
    server.start();
    NatsCluster.awaitPort(port);
    return server;
  }

  private Path file(String name, String content, String mode) throws IOException {
    return Files.setPosixFilePermissions(
        Files.writeString(folder.resolve(name), content), PosixFilePermissions.fromString(mode));
  }

  private JetStreamStore open(String host, ClusterSecurity security) {
    return JetStreamStore.open(
        new ClusterOptions(
            List.of(host + ":" + port), "SECURE", security, 1, true, false, Duration.ofSeconds(1)),
        folder.resolve("data"),
        NatsCluster.RANDOM,
        System::nanoTime);
  }

  private void opens(ClusterSecurity security) throws IOException {
    try (JetStreamStore store = open("tls://localhost", security)) {
      assertThat(committed(store, plain(mote("m"), fact("rd", 1, "x"))).version()).isPositive();
    } catch (StoreException e) {
      throw new AssertionError(Files.readString(folder.resolve("server/server.log")), e);
    }
  }

  private void refused(String host, ClusterSecurity security, String... parts) {
    try (JetStreamStore opened = open(host, security)) {
      throw new AssertionError("opened at " + opened.position());
    } catch (StoreException e) {
      assertThat(e.getMessage()).contains(parts).doesNotContain("\n").doesNotContain("SUA");
    }
  }

  private ClusterSecurity trusting(@Nullable Path credentials) {
    return new ClusterSecurity(authority.certificate(), null, null, credentials);
  }

  @Test
  void anNkeyOpensServersWhoseAuthorityIsTrusted() throws Exception {
    NKey user = NKey.createUser(NatsCluster.RANDOM);
    NKey stranger = NKey.createUser(NatsCluster.RANDOM);
    Path seed = file("seed", new String(user.getSeed()) + "\n", PRIVATE);
    Path other = file("other", new String(stranger.getSeed()), PRIVATE);
    TestAuthority unknown = new TestAuthority(folder, "unknown");
    String users =
        "authorization { users: [ { nkey: %s } ] }".formatted(new String(user.getPublicKey()));
    try (NatsServer server = start(false, users)) {
      assertThat(server.url()).isNotEmpty();
      opens(trusting(seed));
      String tls = "tls://localhost";
      refused(tls, trusting(other), "refuse the credentials", "vigil.cluster.credentials");
      refused(tls, trusting(null), "refuse the credentials");
      refused(
          tls,
          new ClusterSecurity(unknown.certificate(), null, null, seed),
          "cannot be trusted",
          "correct vigil.cluster.ca");
      refused(
          tls,
          new ClusterSecurity(null, null, null, seed),
          "cannot be trusted",
          "vigil.cluster.ca");
      refused("tls://127.0.0.1", trusting(seed), "cannot be trusted", "127.0.0.1");
      refused(
          "nats://localhost",
          new ClusterSecurity(null, null, null, seed),
          "require TLS",
          "write tls:// instead of nats://");
      // An authority alone makes TLS mandatory.
      try (JetStreamStore store = open("nats://localhost", trusting(seed))) {
        assertThat(store.position()).isEqualTo(1);
      }
    }
  }

  @Test
  void filesOfCredentialsMustBePrivateAndComplete() throws Exception {
    NKey user = NKey.createUser(NatsCluster.RANDOM);
    NKey account = NKey.createAccount(NatsCluster.RANDOM);
    String tls = "tls://localhost";
    Path open = file("open", new String(user.getSeed()), "rw-r--r--");
    refused(tls, trusting(open), "others can read", "chmod 600 " + open);
    Path missing = folder.resolve("missing");
    refused(tls, trusting(missing), "cannot read", missing.toString(), "vigil.cluster.credentials");
    for (String content : List.of("", "secret", new String(account.getSeed()))) {
      Path wrong = file("wrong", content, PRIVATE);
      refused(tls, trusting(wrong), "cannot use the credentials in " + wrong, "nkey");
    }
    refused(
        tls,
        new ClusterSecurity(folder.resolve("missing.pem"), null, null, null),
        "cannot read",
        "vigil.cluster.ca");
    refused(
        tls,
        new ClusterSecurity(null, authority.certificate("server"), null, null),
        "cannot use vigil.cluster.certificate alone");
  }

  @Test
  void aFileOfNscAndACertificateOpenServersThatVerifyBoth() throws Exception {
    authority.issue("gateway", "gateway");
    NKey operator = NKey.createOperator(NatsCluster.RANDOM);
    NKey account = NKey.createAccount(NatsCluster.RANDOM);
    String system = new String(NKey.createAccount(NatsCluster.RANDOM).getPublicKey());
    String accountId = new String(account.getPublicKey());
    String users =
        """
        operator: %s
        system_account: %s
        resolver: MEMORY
        resolver_preload: { %s: %s, %s: %s }
        """
            .formatted(
                jwt(
                    operator,
                    new String(operator.getPublicKey()),
                    "{\"type\":\"operator\",\"version\":2}"),
                system,
                system,
                jwt(operator, system, ACCOUNT.formatted(0)),
                accountId,
                jwt(operator, accountId, ACCOUNT.formatted(-1)));
    Path credentials = credentials("user.creds", account, accountId);
    Path forged = credentials("forged.creds", NKey.createAccount(NatsCluster.RANDOM), accountId);
    try (NatsServer server = start(true, users)) {
      assertThat(server.url()).isNotEmpty();
      opens(own(credentials));
      refused("tls://localhost", own(forged), "refuse the credentials");
      refused(
          "tls://localhost",
          trusting(credentials),
          "correct vigil.cluster.certificate and vigil.cluster.key");
    }
  }

  private static final String ACCOUNT =
      """
      {"type":"account","version":2,"limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,\
      "exports":-1,"wildcards":true,"conn":-1,"leaf":-1,"mem_storage":%1$d,"disk_storage":%1$d,\
      "streams":-1,"consumer":-1}}""";

  private ClusterSecurity own(Path credentials) {
    return new ClusterSecurity(
        authority.certificate(),
        authority.certificate("gateway"),
        authority.key("gateway"),
        credentials);
  }

  private static String jwt(NKey issuer, String subject, String claim)
      throws IOException, GeneralSecurityException {
    return JwtUtils.issueJWT(
        issuer,
        subject,
        "name",
        null,
        Instant.now().getEpochSecond(),
        new String(issuer.getPublicKey()),
        () -> claim);
  }

  private Path credentials(String name, NKey signer, String account)
      throws IOException, GeneralSecurityException {
    NKey user = NKey.createUser(NatsCluster.RANDOM);
    String jwt = JwtUtils.issueUserJWT(signer, account, new String(user.getPublicKey()));
    return file(
        name, JwtUtils.NATS_USER_JWT_FORMAT.formatted(jwt, new String(user.getSeed())), PRIVATE);
  }
}
