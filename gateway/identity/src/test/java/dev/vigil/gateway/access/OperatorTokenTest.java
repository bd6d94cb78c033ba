package dev.vigil.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.testing.OwnSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorTokenTest {
  @TempDir Path folder = Path.of("");

  private OperatorToken load() throws IOException {
    return OperatorToken.load(
        folder.resolve("operator.token"), new Secrets(new SecureRandom()), OwnSecrets.NONE_SHARED);
  }

  @Test
  void theTokenHas256BitsAndOnlyItsOwnerMayReadIt() throws Exception {
    Path file = load().file();
    String first = Files.readString(file);
    assertThat(first.strip()).matches("[A-Za-z0-9_-]{43}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    OperatorToken token = load();
    assertThat(Files.readString(file)).isEqualTo(first);
    assertThat(token.is(first.strip())).isTrue();
    assertThat(token.is(first)).isFalse();
    assertThat(token.is(first.strip().substring(1))).isFalse();
    assertThat(token.toString()).doesNotContain(first.strip());
  }

  @Test
  void aReadableOrTooShortTokenFileIsRefused() throws Exception {
    Path file = load().file();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(this::load).hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(file, "x\n");
    assertThatThrownBy(this::load).hasMessageStartingWith("cannot").hasMessageContaining("43");
  }

  @Test
  void aGivenTokenIsReadAndMayBeReadOnly() throws Exception {
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--------"));
    OperatorToken token = OperatorToken.given(secret);
    assertThat(token.is("0123456789abcdef".repeat(4))).isTrue();
    assertThat(token.is("0123456789abcdef".repeat(3))).isFalse();
  }

  @Test
  void aGivenTokenIsNeverCreatedNorSharedWithOthers() throws Exception {
    Path secret = folder.resolve("secret");
    assertThatThrownBy(() -> OperatorToken.given(secret))
        .hasMessageContainingAll("cannot read", secret.toString(), "vigil.operator-token-file");
    assertThat(secret).doesNotExist();
    Files.writeString(secret, "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> OperatorToken.given(secret)).hasMessageContaining("chmod 600");
  }
}
