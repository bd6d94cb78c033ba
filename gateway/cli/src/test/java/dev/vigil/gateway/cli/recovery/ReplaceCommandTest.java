package dev.vigil.gateway.cli.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Files given up by {@code vigil replace}. test_lost_files.py runs it for a gateway. */
class ReplaceCommandTest {
  @TempDir Path folder = Path.of("");

  private record End(int code, String out, String err) {}

  @BeforeEach
  void makeDataFolder() throws IOException {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (Companion companion : Companion.values()) {
        Files.writeString(folder.resolve(companion.file()), "damaged");
        store.companions().made(companion);
      }
    }
  }

  private End replace(String file) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new ReplaceCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(file, "--data-dir", folder.toString());
    return new End(code, out.toString(), err.toString());
  }

  private void requireAll() {
    try (SqliteStore store = SqliteStore.open(folder, System::nanoTime)) {
      for (Companion companion : Companion.values()) {
        store.companions().require(companion);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theNextStartDoesNotRequireTheFileAndTheOldOneIsKept(Companion companion) throws IOException {
    End end = replace(companion.file());
    assertThat(end.code()).isZero();
    assertThat(end.out()).contains(companion.loss());
    assertThat(folder.resolve(companion.file())).doesNotExist();
    assertThat(folder.resolve(companion.file() + ".replaced")).hasContent("damaged");
    requireAll();
  }

  @ParameterizedTest
  @EnumSource
  void aLostFileIsNotRequiredAnyMore(Companion companion) throws IOException {
    Files.delete(folder.resolve(companion.file()));
    assertThatThrownBy(this::requireAll).isInstanceOf(StoreException.class);
    assertThat(replace(companion.file()).code()).isZero();
    requireAll();
  }

  @Test
  void aLostDatabaseIsReplacedByAnEmptyOne() throws IOException {
    Files.delete(folder.resolve(SqliteFiles.DATABASE));
    assertThatThrownBy(this::requireAll).isInstanceOf(StoreException.class);
    End end = replace(SqliteFiles.DATABASE);
    assertThat(end.code()).isZero();
    assertThat(end.out()).contains("each recorded message can be");
    requireAll();
  }

  @Test
  void theGatewayMustBeStopped() {
    try (SqliteStore _ = SqliteStore.open(folder, System::nanoTime)) {
      End end = replace("identity.jwk");
      assertThat(end.code()).isEqualTo(1);
      assertThat(end.err().lines()).singleElement().asString().contains("in use by process");
    }
  }

  @Test
  void otherFilesAreRefused() {
    End end = replace("vigil.lock");
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.err()).contains("replace takes one of");
    assertThat(folder.resolve("vigil.lock")).exists();
  }
}
