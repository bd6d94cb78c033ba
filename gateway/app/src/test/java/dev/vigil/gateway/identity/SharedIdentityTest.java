package dev.vigil.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.testing.ListedCompanions;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.StoreException;
import dev.vigil.store.contract.StoreTesting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways with data folders of their own on one store. */
class SharedIdentityTest {
  private final SecureRandom random = new SecureRandom();
  private final MemoryStore store = new MemoryStore();
  private final Path folder;

  SharedIdentityTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private final class Gateway {
    final Path data;
    final Records records = new Records(store, new SettableClock());
    private final CompanionFiles companions;

    Gateway(String name) throws IOException {
      data = Files.createDirectories(folder.resolve(name));
      companions = ListedCompanions.in(data);
    }

    IdentityFile file(String setting) {
      return new IdentityFile(new IdentityProperties(setting), companions, random);
    }

    LocalKeyPair load() throws IOException {
      return new ClusterIdentity(records).load(file(""));
    }

    SealedSecrets secrets() throws IOException {
      return new SealedSecrets(new SecretSealer(load(), random), SealedSecrets.in(records));
    }

    Path key() {
      return data.resolve(Companion.IDENTITY.file());
    }
  }

  private Gateway withKeyOf(Gateway other, String name) throws IOException {
    Gateway gateway = new Gateway(name);
    Files.copy(other.key(), gateway.key(), StandardCopyOption.COPY_ATTRIBUTES);
    return gateway;
  }

  @Test
  void aSecondGatewayNeedsACopyOfTheFirstOnesKey() throws Exception {
    Gateway first = new Gateway("first");
    String thumbprint = first.load().jwk().thumbprint();
    Gateway second = new Gateway("second");
    assertThatThrownBy(second::load)
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the identity key %s is missing, but the cluster's is %s: copy identity.jwk from the data folder of another gateway, mode 0600, or name a copy with vigil.identity-file"
                .formatted(second.key(), thumbprint));
    assertThat(second.key()).as("nothing was made").doesNotExist();
    assertThat(withKeyOf(first, "third").load().jwk().thumbprint()).isEqualTo(thumbprint);
    assertThat(first.load().jwk().thumbprint()).as("after a restart").isEqualTo(thumbprint);
  }

  @Test
  void aGatewayWithAnotherKeyIsRefused() throws Exception {
    new Gateway("first").load();
    Gateway second = new Gateway("second");
    LocalKeyPair other = second.file("").load();
    assertThatThrownBy(second::load)
        .hasMessageContaining("has the thumbprint " + other.jwk().thumbprint())
        .hasMessageContaining("copy identity.jwk");
  }

  @Test
  void aKeyMayBeNamedByASettingAndIsNeverMadeThere() throws Exception {
    Gateway first = new Gateway("first");
    String thumbprint = first.load().jwk().thumbprint();
    Gateway second = new Gateway("second");
    assertThat(second.file(first.key().toString()).load().jwk().thumbprint()).isEqualTo(thumbprint);
    Path missing = folder.resolve("missing.jwk");
    assertThatThrownBy(() -> second.file(missing.toString()).load())
        .hasMessageStartingWith("cannot read the identity key in " + missing);
    assertThat(missing).doesNotExist();
  }

  @Test
  void gatewaysAgreeOnASecretThatTheStoreDoesNotShow() throws Exception {
    Gateway first = new Gateway("first");
    SealedSecrets one = first.secrets();
    SealedSecrets other = withKeyOf(first, "second").secrets();
    assertThat(one.agree("operator token", any -> true, () -> "first's")).isEqualTo("first's");
    assertThat(other.agree("operator token", any -> true, () -> "second's")).isEqualTo("first's");
    assertThat(other.derive("Echo")).isEqualTo(one.derive("Echo")).hasSize(32);
    assertThat(other.derive("Echo")).isNotEqualTo(one.derive("other"));
    assertThat(StoreTesting.feed(store, 0).toString()).doesNotContain("first's");
    StoreTesting.feed(store, 0).stream()
        .flatMap(change -> change.facts().stream())
        .forEach(
            fact ->
                assertThat(new String(fact.body(), StandardCharsets.UTF_8))
                    .doesNotContain("first's"));
  }

  @Test
  void aSecretThatCannotBeUsedIsReplacedForAllGateways() throws Exception {
    Gateway first = new Gateway("first");
    SealedSecrets one = first.secrets();
    SealedSecrets other = withKeyOf(first, "second").secrets();
    assertThat(one.agree("authority", any -> true, () -> "old")).isEqualTo("old");
    assertThat(other.agree("authority", "new"::equals, () -> "new")).isEqualTo("new");
    assertThat(one.agree("authority", "new"::equals, () -> "newer")).isEqualTo("new");
  }

  @Test
  void aGatewayWithoutAClusterKeepsItsOwnSecrets() throws Exception {
    SealedSecrets alone =
        new SealedSecrets(new SecretSealer(new Gateway("alone").file("").load(), random), null);
    assertThat(alone.agree("operator token", any -> true, () -> "mine")).isEqualTo("mine");
    assertThat(StoreTesting.feed(store, 0)).isEmpty();
  }
}
