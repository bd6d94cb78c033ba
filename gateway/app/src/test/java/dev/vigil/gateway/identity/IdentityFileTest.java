package dev.vigil.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.testing.ListedCompanions;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lost or damaged identity key. test_lost_files.py starts gateways. */
class IdentityFileTest {
  private final Path folder;
  private final Path file;
  private final CompanionFiles companions;

  IdentityFileTest(@TempDir Path folder) {
    this.folder = folder;
    this.file = folder.resolve("identity.jwk");
    this.companions = ListedCompanions.in(folder);
  }

  private IdentityFile identity() {
    return new IdentityFile(new IdentityProperties(""), companions, new SecureRandom());
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refusal() {
    return assertThatThrownBy(() -> identity().load())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("vigil replace identity.jwk --data-dir " + folder);
  }

  @Test
  void aLostKeyIsNamedAndNotReplaced() throws IOException {
    identity().load();
    Files.delete(file);
    refusal().hasMessageContaining("is missing");
    assertThat(file).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"'' | is empty", "{\"kty\":\"EC\" | holds no identity key"})
  void aDamagedKeyIsNamedAndNotReplaced(String text, String words) throws IOException {
    identity().load();
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    refusal().hasMessageContaining(words);
    assertThat(file).hasContent(text);
  }
}
