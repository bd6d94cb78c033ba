package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protection from other users of the machine: file modes, foreign folders and symbolic links. */
class DataFolderTest {
  @TempDir Path parent = Path.of("");
  private Path folder = Path.of("");

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(parent.resolve("data"));
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refusal() {
    return assertThatThrownBy(() -> SqliteStore.open(folder, System::nanoTime).close())
        .isInstanceOf(StoreException.class);
  }

  @Test
  void everyFileIsItsOwnersAlone() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      committed(store, plain(mote("mote-1"), fact("rd", 1, "a")));
      for (String file : new String[] {"vigil.db", "vigil.db-wal", "vigil.db-shm", "vigil.lock"}) {
        assertThat(mode(folder.resolve(file))).as(file).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void filesOfEarlierVersionsAreTakenFromOthers() throws IOException {
    SqliteStore.open(folder, System::nanoTime).close();
    mode(folder.resolve("vigil.db"), "rw-rw-r--");
    mode(folder.resolve("vigil.lock"), "rw-r--r--");
    everyFileIsItsOwnersAlone();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwxrwx", "rwxrwx---", "rwx---rwx", "rwx--x-wx"})
  void aFolderThatOthersCanWriteToIsRefusedUntouched(String open) throws IOException {
    mode(folder, open);
    refusal().hasMessageContainingAll(folder.toString(), "chmod 700", "--data-dir");
    assertThat(folder).isEmptyDirectory();
    mode(folder, "rwxr-xr-x");
    SqliteStore.open(folder, System::nanoTime).close();
  }

  @Test
  void aFolderOfAnotherUserIsRefusedUntouched() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a folder away");
    Files.setAttribute(folder, "unix:uid", 54321);
    refusal().hasMessageContainingAll(folder.toString(), "54321", "chown", "--data-dir");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"vigil.lock", "vigil.db", "vigil.db-wal"})
  void aSymbolicLinkIsNotFollowed(String name) throws IOException {
    Path victim = Files.writeString(parent.resolve("victim"), "precious");
    Files.createSymbolicLink(folder.resolve(name), victim);
    refusal().hasMessageContainingAll(folder.resolve(name).toString(), "symbolic link");
    Path absent = parent.resolve("absent");
    Files.delete(folder.resolve(name));
    Files.createSymbolicLink(folder.resolve(name), absent);
    refusal().hasMessageContaining("symbolic link");
    assertThat(victim).hasContent("precious");
    assertThat(absent).doesNotExist();
  }
}
