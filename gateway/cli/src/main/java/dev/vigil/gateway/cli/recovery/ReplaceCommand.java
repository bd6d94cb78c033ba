package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.cli.DataFolderOption;
import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replace}: gives up a key or counter file, so that the next start creates a new one. */
@Command(
    name = "replace",
    mixinStandardHelpOptions = true,
    description = {
      "Gives up a lost or damaged file; the next start creates a new one. The gateway must be"
          + " stopped. An existing file is kept under another name.",
      "identity.jwk: motes and clients that know the gateway's key refuse the gateway until they"
          + " receive the new one; keys of encrypted updates are lost.",
      "bridge.counters: frame counters begin at zero; change the link key first. IPsec"
          + " associations carry nothing until both ends have new keys.",
      "https-authority.pem: clients that trust the old authority must be given the new /ca.pem.",
      "vigil.db: an empty database; registrations, values, approvals, accounts and rules are lost,"
          + " and each recorded message can be replayed once."
    })
public final class ReplaceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      description = "identity.jwk, bridge.counters, https-authority.pem or vigil.db.")
  private String file = "";

  @Mixin private DataFolderOption dataFolder = new DataFolderOption();

  @Override
  public Integer call() {
    Path folder = dataFolder.path().toAbsolutePath().normalize();
    try {
      if (file.equals(SqliteFiles.DATABASE)) {
        replaceDatabase(folder);
      } else {
        replaceCompanion(folder);
      }
      return CommandLine.ExitCode.OK;
    } catch (IOException | StoreException e) {
      spec.commandLine().getErr().println("vigil: " + ErrorLine.of(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private void replaceCompanion(Path folder) throws IOException {
    Companion companion =
        Companion.of(file)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(), "replace takes one of " + names() + ", not " + file));
    if (!Files.exists(folder.resolve(SqliteFiles.DATABASE))) {
      throw new BackupException(
          "there is no database in %s: name the data folder with --data-dir".formatted(folder));
    }
    try (SqliteFiles.Lock _ = SqliteFiles.lock(folder)) {
      putAside(folder.resolve(companion.file()));
      SqliteFiles.forget(folder, companion);
    }
    spec.commandLine()
        .getOut()
        .printf("the next start makes a new %s: %s%n", file, companion.loss());
  }

  private void replaceDatabase(Path folder) throws IOException {
    if (Files.notExists(folder.resolve(SqliteFiles.LOCK))) {
      throw new BackupException(
          "%s is not a data folder: name the data folder with --data-dir".formatted(folder));
    }
    try (SqliteFiles.Lock _ = SqliteFiles.lock(folder)) {
      // Move the database first, because a missing database is noticed and a missing log is not.
      for (String suffix : List.of("", "-wal", "-shm")) {
        putAside(folder.resolve(SqliteFiles.DATABASE + suffix));
      }
      SqliteFiles.create(folder);
    }
    spec.commandLine().getOut().printf("%s is empty: %s%n", file, SqliteFiles.DATABASE_LOSS);
  }

  private void putAside(Path path) throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path kept = path.resolveSibling(path.getFileName() + ".replaced");
    for (int i = 2; Files.exists(kept, LinkOption.NOFOLLOW_LINKS); i++) {
      kept = path.resolveSibling(path.getFileName() + ".replaced-" + i);
    }
    Files.move(path, kept);
    spec.commandLine().getOut().printf("the old file is kept as %s%n", kept);
  }

  private static String names() {
    return Stream.concat(
            Arrays.stream(Companion.values()).map(Companion::file), Stream.of(SqliteFiles.DATABASE))
        .collect(Collectors.joining(", "));
  }
}
